/*
 * program_streams.h - for adapters of whole programs in C++: ifstream and ofstream over FILE, whose
 * functions an adapter can replace by --wrap=fopen,--wrap=fclose. The streams of the C++ library
 * call no fopen() that a linker could replace.
 *
 * The compile command has -include {abi}/program_streams.h, so that it comes before the students'
 * own lines. It does nothing for C.
 */
#ifndef PARAGRADE_PROGRAM_STREAMS_H
#define PARAGRADE_PROGRAM_STREAMS_H
#ifdef __cplusplus

#include <ext/stdio_sync_filebuf.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

/* Streams over FILE, whose functions this adapter replaces. */
namespace std
{
class program_stream : public iostream
{
    const char *const mode_;
    FILE *file_ = nullptr;
    unique_ptr<__gnu_cxx::stdio_sync_filebuf<char>> buffer_;

  protected:
    explicit program_stream(const char *mode) : iostream(nullptr), mode_(mode)
    {
    }

  public:
    ~program_stream()
    {
        close();
    }
    void open(const string &name, ios_base::openmode = ios_base::in)
    {
        file_ = fopen(name.c_str(), mode_);
        if (file_) {
            buffer_ = make_unique<__gnu_cxx::stdio_sync_filebuf<char>>(file_);
            rdbuf(buffer_.get());
        } else {
            setstate(failbit);
        }
    }
    bool is_open() const
    {
        return file_;
    }
    void close()
    {
        if (file_)
            fclose(file_);
        file_ = nullptr;
    }
};

struct program_ifstream : program_stream {
    program_ifstream() : program_stream("r")
    {
    }
    explicit program_ifstream(const string &name, ios_base::openmode = ios_base::in)
        : program_ifstream()
    {
        open(name);
    }
};

struct program_ofstream : program_stream {
    program_ofstream() : program_stream("w")
    {
    }
    explicit program_ofstream(const string &name, ios_base::openmode = ios_base::out)
        : program_ofstream()
    {
        open(name);
    }
};
} // namespace std

#define ifstream program_ifstream
#define ofstream program_ofstream

#endif
#endif
