#!/bin/bash
# Gradescope runs this as root when it builds the image: install Paragrade from the source in the archive.
set -eu
root=${AUTOGRADER_ROOT:-/autograder}
export DEBIAN_FRONTEND=noninteractive
cd "$root/source/paragrade"
apt-get update
apt-get install -y make
make deps
make -j"$(nproc)"
make install PREFIX="${PREFIX:-/usr/local}"
