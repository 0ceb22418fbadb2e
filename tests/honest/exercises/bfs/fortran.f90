! fortran: Fortran, with allocatable arrays and automatic ones.
subroutine bfs(n, m, from, to, parent) bind(C, name='bfs')
  use iso_c_binding
  implicit none
  integer(c_int), value :: n, m
  integer(c_int32_t), intent(in) :: from(0:m-1), to(0:m-1)
  integer(c_int32_t), intent(out) :: parent(0:n-1)
  integer(c_int32_t), allocatable :: level(:)
  integer(c_int32_t) :: e, depth
  logical :: more
  allocate(level(0:n-1))
  parent = -1
  level = -1
  parent(0) = 0
  level(0) = 0
  depth = 0
  more = .true.
  do while (more)
    more = .false.
    do e = 0, m - 1
      if (level(from(e)) == depth .and. level(to(e)) < 0) then
        level(to(e)) = depth + 1
        parent(to(e)) = from(e)
        more = .true.
      end if
      if (level(to(e)) == depth .and. level(from(e)) < 0) then
        level(from(e)) = depth + 1
        parent(from(e)) = to(e)
        more = .true.
      end if
    end do
    depth = depth + 1
  end do
end subroutine
