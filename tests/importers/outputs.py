"""Outputs written by hand after the tools' formats, with numbers that are easy to work out."""

from __future__ import annotations

from sizewright.importers.formats import Formats, Text, decode_output, load_formats

KNOWN: Formats = load_formats()

SIDE_BY_SIDE = """\
      tty          sd0           sd1           cpu
 tin tout bps tps msps  bps tps msps  us ni sy id
   0   10   3   1  0.0    1   0  0.0   1  0  2 97
   1   20 120  20  0.0   40  10  0.0  10  5 25 60
   1   30 240  40  0.0   40  10  0.0  20  5 35 40
"""
UTILISATION = """\
          sd0           sd1
 rps wps util  rps wps util
   1   1  2.0    0   0  0.0
  20  11 60.0    3   1  8.5
"""
ONE_A_LINE = """\
                  extended disk statistics        tty          cpu
disk      r/s  w/s   Kr/s   Kw/s wait actv  svc_t  %w  %b  tin tout us sy wt id
sd0       9.0  9.0   99.0   99.0  0.0  0.1   15.0   0   9    0   10  3 17 10 70
sd1       9.0  9.0   99.0   99.0  0.0  0.1   41.6   0   9
                  extended disk statistics        tty          cpu
disk      r/s  w/s   Kr/s   Kw/s wait actv  svc_t  %w  %b  tin tout us sy wt id
sd0       2.5  3.0   20.0   24.5  0.1  0.2   46.2   1  10    0   80  4 16 20 60
sd1       4.0  1.0   32.0    8.0  0.0  0.1   36.4   0   8
"""
NAME_LAST = """\
                    extended device statistics
    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
    1.0    2.0    8.0   16.0  0.0  0.0    0.0    9.0   0   3 c0t3d0
"""
TWO_KINDS = """\
     cpu
 us sy wt id
  1  1  1 97
                    extended device statistics
    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
    1.0    1.0    8.0    8.0  0.0  0.0    0.0    9.0   0   1 c0t3d0
     cpu
 us sy wt id
 20 30 10 40
                    extended device statistics
    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
   30.0   10.0  240.0   80.0  0.0  0.0    0.0    9.0   0  70 c0t3d0
     cpu
 us sy wt id
 40 30 10 20
                    extended device statistics
    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
   40.0   20.0  320.0  160.0  0.0  0.0    0.0    9.0   0  90 c0t3d0
"""
PAGING = """\
 procs     memory              page               disk       faults     cpu
 r b w   avm   fre  re at  pi  po  fr  de  sr s0 s1 d2 d3  in  sy  cs us sy id
 1 0 0     0  1200   0  1   4   0   0   0   0  1  0  0  0  40  90  30  5  5 90
 2 0 0     0  1100   0  1   8   4   0   0   2  1  0  0  0  40  90  30 20 30 50
 procs     memory              page               disk       faults     cpu
 r b w   avm   fre  re at  pi  po  fr  de  sr s0 s1 d2 d3  in  sy  cs us sy id
 2 0 0     0  1100   0  1  16   0   0   0   0  1  0  0  0  40  90  30 10 20 70
"""
SWAPPING = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 900000  10000  50000    0    0     5    10   50  100  1  1 97  1  0
 3  1      0 890000  10000  50000   16    8   500    10   50  100 30 20 40 10  0
"""
SUMS = """\
        0 swap ins
   123456 pages paged in
  2000000 cpu context switches
   500000 total name lookups (cache hits 85% per-process)
     1000 toolong
"""

COUNTERS = """\

Server rpc:
calls      badcalls   nullrecv   badlen     xdrcall
1000       0          0          0          0

Server nfs:
calls      badcalls
1000       0
null       getattr    setattr    root       lookup     readlink   read
0  0%      400 40%    10  1%     0  0%      300 30%    20  2%     200 20%
wrcache    write      create     remove     rename     link       symlink
0  0%      50  5%     10  1%     10  1%     0  0%      0  0%      0  0%
mkdir      rmdir      readdir    fsstat
0  0%      0  0%      0  0%      0  0%

Client rpc:
calls      badcalls   retrans    badxid     timeout    wait       newcred
8          0          0          0          0          0          0

Client nfs:
calls      badcalls   nclget     nclsleep
8          0          8          0
null       getattr    setattr    root       lookup     readlink   read
0  0%      1 12%      0  0%      0  0%      3 37%      0  0%      4 50%
"""
VERSIONS = """\
Server rpc stats:
calls      badcalls   badclnt    badauth    xdrcall
300        0          0          0          0

Server nfs v3:
null             getattr          setattr          lookup           access
0         0%     60       60%     0         0%     0         0%     0         0%
readlink         read             write            create           mkdir
0         0%     30       30%     10       10%     0         0%     0         0%

Server nfs v4:
null             compound
0         0%     100     100%

Server nfs v4 operations:
op0-unused       op1-unused       op2-future       access           close
0         0%     0         0%     0         0%     7         2%     1         0%
putfh            read             write            sequence         getattr
100      50%     20       10%     10        5%     40       20%     22       11%

Server nfs v4 callback operations:
cb_getattr       cb_recall
500      50%     500      50%
"""


def text(content: str, name: str = "out.txt") -> Text:
    return decode_output(content.encode(), name)
