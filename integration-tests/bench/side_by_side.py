#!/usr/bin/python3
"""Cepheus beside Debian's xrootd and nginx, in one run on this machine: the table of docs/performance.md.

usage: ./dev bench [row ...]      rows: xrdcp plain http small stat lonestat login listing create lone memory streams
                                       fairness core failover namespace
       ./dev bench namespace --files 100000

Client and server share the machine, so CPU seconds of the server and ratios carry over to other machines; rates do not.
Bytes rows keep the data of every server in memory (/dev/shm), so that the disk is out of it. Metadata rows keep Cepheus'
Raft log and database on the disk of this tree, with real fsync, and xrootd's files in memory, without fsync.
The servers take turns; every figure is the median of the rounds.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median

from processes import ROOT, Cepheus, Cluster, Nginx, Xrootd, XrootdSite, XrootdWithLogin

GIB = 1 << 30
ONE, MANY, MANY_CLIENTS = GIB, GIB // 4, 10
STREAMS_DOWN, STREAMS_UP = 60, 40
# Before the first measurement: the JIT compiler is done after so many operations, however slow the machine is.
WARMUP_OPERATIONS = 400_000
WARMUP_SECONDS, MOST_WARMUPS = 20, 6
ROUNDS, COPY_ROUNDS = 3, 5
PLAIN = {"XRD_CPUSEPGWRTRD": "0"}
SMALL_FILES, SMALL_BYTES = 1000, 10 << 10
LISTED = 100_000
LOGINS = 4000
FAILOVERS = 10
SETTLED_SECONDS = 60
FILL_SECONDS = 420  # of one process, so that a measurement can be made in pieces


@dataclass
class Row:
    """A line of the table; `limit` is what `judged` must not exceed, or must reach."""

    what: str
    ours: float
    other: float | None
    unit: str
    must: str = ""
    passed: bool | None = None
    note: str = ""

    def print(self):
        other = f"{self.other:10.3f}" if self.other is not None else f"{'-':>10}"
        ratio = f"{self.ours / self.other:6.2f}" if self.other else f"{'-':>6}"
        verdict = {None: "", True: "pass", False: "FAIL"}[self.passed]
        print(f"{self.what:34} {self.ours:11.3f} {other} {ratio}  {self.unit:9} {self.must:11} {verdict:4} {self.note}")


HEADER = f"{'what':34} {'cepheus':>11} {'beside':>10} {'ratio':>6}  {'unit':9} {'must':11} {'':4} note"


class Machine:
    """The temporary directories, the source file and the Java command of one run."""

    def __init__(self, files):
        self.files = files
        self.memory = Path(tempfile.mkdtemp(prefix="cepheus-bench-", dir="/dev/shm"))
        (ROOT / ".build").mkdir(exist_ok=True)
        self.disk = Path(tempfile.mkdtemp(prefix="bench-", dir=ROOT / ".build"))
        for path in (self.memory, self.disk):
            path.chmod(0o755)
        find = 'source "$1/scripts/jdk.sh"; find_jdk; echo "$JAVA_HOME"'
        home = subprocess.run(["bash", "-c", find, "bench", ROOT], check=True, text=True, stdout=subprocess.PIPE).stdout
        self.java = [
            Path(home.strip()) / "bin/java",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
        ]
        self.servers = []

    def source(self, size):
        path = self.memory / f"source-{size}"
        if not path.exists():
            block = os.urandom(1 << 24)
            with open(path, "wb") as out:
                for _ in range(size // len(block)):
                    out.write(block)
        return path

    def start(self, make, name, where, data=None):
        server = make(where / name, data or where / f"{name}-data")
        self.servers.append(server)
        return server

    def stop_servers(self):
        while self.servers:
            self.servers.pop().stop()

    def close(self):
        self.stop_servers()
        for path in (self.memory, self.disk):
            shutil.rmtree(path, ignore_errors=True)

    def load(self, server, program="XrootdLoad", **options):
        """Runs our load generator against a server; the answer has rates, CPU and latencies."""
        command = [*self.java, "-XX:+UseSerialGC", "-Xmx512m", "-cp", ROOT / "jmh/target/classes"]
        command += [f"org.cepheus.jmh.load.{program}", f"port={server.xrootd}", f"pid={server.pid}"]
        command += [f"{key}={value}" for key, value in options.items()]
        server.require_alive()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)


def await_deletions(server, count):
    """Until a server has no more than so many contents: to delete what was replaced is work of the write, too."""

    def contents():
        paths = (Path(where) / name for where, _, names in os.walk(server.data) for name in names)
        with contextlib.suppress(FileNotFoundError):
            return sum(path.stat().st_size >= MANY for path in paths)
        return -1

    deadline = time.monotonic() + SETTLED_SECONDS
    while not 0 <= (found := contents()) <= count:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{server.name} has {found} contents after {SETTLED_SECONDS} s, {count} are in use")
        time.sleep(0.2)


def measured(server, commands, size, environment=None, contents=None):
    """CPU seconds of the server per GiB while these clients run at once, and until what they replaced is gone."""
    before = server.cpu_seconds()
    clients = [
        subprocess.Popen(
            command,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for command in commands
    ]
    for client in clients:
        _, errors = client.communicate()
        if client.returncode != 0:
            server.require_alive()
            raise RuntimeError(f"{client.args} failed against {server.name}: {errors.decode()}; see {server.log}")
    if contents is not None:
        await_deletions(server, contents)
    return (server.cpu_seconds() - before) / (size * len(commands) / GIB)


def touch_memory(directory, size):
    """Makes the pages of new files cost every server the same.

    A virtual machine's host takes free pages back, and whoever uses them next pays for it: that is the server that
    keeps the old content until the new one is complete, not the one that writes over it.
    """
    block = bytes(1 << 24)
    filler = directory / "filler"
    with open(filler, "wb") as out:
        for _ in range(2 * size // len(block)):
            out.write(block)
    filler.unlink()


def in_turns(rounds, servers, measure):
    """measure(server) for each server, round by round; the medians, one per server, of every key."""
    seen = [[] for _ in servers]
    for number in range(rounds):
        for server, results in zip(servers, seen):
            results.append(measure(server, number))
    return [{key: median(result[key] for result in results) for key in results[0]} for results in seen]


class Copies:
    """What xrdcp moves to and from one server: one large file, and as much as it takes ten clients for.

    Files that are read are written once: on a virtual machine, reading what has just been written to new memory costs a
    third more than later. Files that are written are not there before, for any server.
    """

    def __init__(self, machine, server, environment):
        self.machine = machine
        self.server = server
        self.environment = environment
        self.one, self.many = machine.source(ONE), machine.source(MANY)
        self.write("kept")

    def url(self, name):
        return f"root://127.0.0.1:{self.server.xrootd}//{name}"

    def write(self, kind, touch=False):
        """CPU seconds per GiB of one client and of ten."""
        copy = ["xrdcp", "-s"]
        seen = {}
        for key, commands, size in (
            ("write x1", [[*copy, self.one, self.url(f"{kind}-one")]], ONE),
            ("write x10", [[*copy, self.many, self.url(f"{kind}-{n}")] for n in range(MANY_CLIENTS)], MANY),
        ):
            if touch:
                touch_memory(self.machine.memory, size * len(commands))
            seen[key] = measured(self.server, commands, size, self.environment)
        return seen

    def read(self):
        copy = ["xrdcp", "-s", "-f"]
        many = [[*copy, self.url(f"kept-{n}"), "/dev/null"] for n in range(MANY_CLIENTS)]
        return {
            "read x1": measured(self.server, [[*copy, self.url("kept-one"), "/dev/null"]], ONE, self.environment),
            "read x10": measured(self.server, many, MANY, self.environment),
        }

    def round(self, touch):
        seen = {**self.write("new", touch), **self.read()}
        for name in ["one", *range(MANY_CLIENTS)]:
            run(["xrdfs", f"root://127.0.0.1:{self.server.xrootd}", "rm", f"/new-{name}"])
        await_deletions(self.server, 1 + MANY_CLIENTS)
        return seen


def xrdcp_rows(machine, label, environment, limits):
    ours = machine.start(Cepheus, f"c-{label}", machine.memory)
    theirs = machine.start(Xrootd, f"x-{label}", machine.memory)
    copies = {server: Copies(machine, server, environment) for server in (ours, theirs)}
    for server in (ours, theirs):
        for _ in range(server.warmup_rounds):
            copies[server].round(touch=False)
    mine, other = in_turns(COPY_ROUNDS, (ours, theirs), lambda server, _: copies[server].round(touch=True))
    for key in ("read x1", "read x10", "write x1", "write x10"):
        limit = limits[key.split()[0]]
        yield Row(f"xrdcp {label} {key}", mine[key], other[key], "CPU s/GiB", f"<= {limit}", mine[key] <= limit)
    yield Row(f"peak memory after xrdcp {label}", ours.memory_mib("VmHWM"), theirs.memory_mib("VmHWM"), "MiB")


def xrdcp(machine):
    yield from xrdcp_rows(machine, "default", {}, {"read": 0.6, "write": 1.0})


def plain(machine):
    yield from xrdcp_rows(machine, "plain", PLAIN, {"read": 0.5, "write": 0.9})


def http(machine):
    ours = machine.start(Cepheus, "c-http", machine.memory)
    theirs = machine.start(Nginx, "n-http", machine.memory)
    source = machine.source(ONE)
    curl = ["curl", "-sSfL", "-o", "/dev/null"]

    def put(server, name):
        return measured(server, [[*curl, "-T", source, f"{server.url}/{name}"]], ONE, contents=2)

    def one_round(server, touch):
        if touch:
            touch_memory(machine.memory, 3 * ONE)  # what is replaced is there until the new content is
        # What is read was written once, as with xrdcp.
        return {"PUT": put(server, "replaced"), "GET": measured(server, [[*curl, f"{server.url}/kept"]], ONE)}

    for server in (ours, theirs):
        put(server, "kept")
        for _ in range(server.warmup_rounds):
            one_round(server, touch=False)
    mine, other = in_turns(COPY_ROUNDS, (ours, theirs), lambda server, _: one_round(server, touch=True))
    for key in ("GET", "PUT"):
        yield Row(f"HTTP {key} 1 GiB", mine[key], other[key], "CPU s/GiB", "<= 1.1 x", mine[key] <= 1.1 * other[key])


def rate(work, count):
    """Thousands a second, of so many things done by one call."""
    start = time.monotonic()
    work()
    return count / (time.monotonic() - start) / 1000


def run(command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def small(machine):
    """A thousand files of 10 KiB, one after the other, as one client sends and gets them."""
    ours = machine.start(Cepheus, "c-small", machine.memory)
    theirs = machine.start(Xrootd, "x-small", machine.memory)
    site = machine.start(XrootdSite, "s-small", machine.memory)
    source = machine.memory / "small"
    source.mkdir()
    for number in range(SMALL_FILES):
        (source / f"file{number}").write_bytes(os.urandom(SMALL_BYTES))

    def one_round(server, number):
        there = f"root://127.0.0.1:{server.xrootd}//small{number}"
        back = machine.memory / "back"
        urls = machine.memory / "urls"
        urls.write_text(
            "".join(
                f'url = "{server.url}/small{number}/small/file{i}"\noutput = "/dev/null"\n' for i in range(SMALL_FILES)
            )
        )
        copy = ["xrdcp", "-s", "-r"]
        run(["xrdfs", f"root://127.0.0.1:{server.xrootd}", "mkdir", f"/small{number}"])
        back.mkdir()
        seen = {"xrdcp -r up": rate(lambda: run([*copy, source, there]), SMALL_FILES)}
        seen["xrdcp -r down"] = rate(lambda: run([*copy, f"{there}/small", back]), SMALL_FILES)
        get = ["curl", "-sSfL", "-K", urls]
        seen["curl GET, kept alive"] = rate(lambda: run(get), SMALL_FILES)
        shutil.rmtree(back)
        return seen

    servers = (ours, theirs, site)
    warm_up(machine, ours, 64)
    for server in servers:
        for number in range(server.warmup_rounds):
            one_round(server, f"-warm{number}")
    mine, other, behind = in_turns(ROUNDS, servers, one_round)
    for key, value in mine.items():
        yield Row(f"1,000 files of 10 KiB: {key}", value, other[key], "k/s", ">= 1.0 x", value >= other[key])
    for key, value in mine.items():
        yield Row(f"  {key}, their manager redirects", value, behind[key], "k/s")


def listing(machine):
    """The status of every entry of one large directory, to the last byte."""
    ours = machine.start(Cepheus, "c-list", machine.memory)
    theirs = machine.start(Xrootd, "x-list", machine.memory)
    machine.load(ours, operation="fill", connections=64, root="/listed", files=LISTED, warmup=0, seconds=120)
    (theirs.data / "listed").mkdir()
    for number in range(LISTED):
        (theirs.data / "listed" / f"file{number}").touch()

    def dirlist(server):
        done = machine.load(server, operation="list", connections=1, root="/listed", warmup=0, seconds=3)
        if done["entries"] != LISTED:
            raise RuntimeError(f"{server.name} lists {done['entries']} entries")
        return done["p50_us"] / 1000

    def propfind(_, __):
        start = time.monotonic()
        run(["curl", "-sSf", "-X", "PROPFIND", "-H", "Depth: 1", "-o", "/dev/null", f"{ours.url}/listed/"])
        return {"ms": (time.monotonic() - start) * 1000}

    def ls(server):
        start = time.monotonic()
        run(["xrdfs", f"root://127.0.0.1:{server.xrootd}", "ls", "-l", "/listed"])
        return (time.monotonic() - start) * 1000

    def one_round(server, _):
        return {"raw": dirlist(server), "xrdfs": ls(server)}

    for server in (ours, theirs):
        one_round(server, 0)
        one_round(server, 0)
    mine, other = in_turns(ROUNDS, (ours, theirs), one_round)
    for _ in range(ROUNDS):
        propfind(ours, 0)
    (properties,) = in_turns(ROUNDS, (ours,), propfind)
    limit = 1.5 * other["raw"]
    yield Row("dirlist + stat of 100,000", mine["raw"], other["raw"], "ms", "<= 1.5 x", mine["raw"] <= limit)
    yield Row("  xrdfs ls -l of them", mine["xrdfs"], other["xrdfs"], "ms")
    note = "beside their dirlist"
    yield Row("PROPFIND of them", properties["ms"], other["raw"], "ms", "<= 1.5 x", properties["ms"] <= limit, note)


def login(machine):
    """New connections, each with handshake, login and credential, four at a time."""
    ours = machine.start(Cepheus, "c-login", machine.memory)
    theirs = machine.start(XrootdWithLogin, "x-login", machine.memory)

    def one_round(server, _):
        done = machine.load(server, "LoginLoad", connections=4, logins=LOGINS)
        return {"rate": LOGINS / done["seconds"] / 1000, "cpu": done["cpu_seconds"] / LOGINS * 1e6}

    for _ in range(4):
        for server in (ours, theirs):
            one_round(server, 0)
    mine, other = in_turns(ROUNDS, (ours, theirs), one_round)
    yield Row("connect + login", mine["rate"], other["rate"], "k/s", ">= 1.0 x", mine["rate"] >= other["rate"])
    yield Row("  server CPU", mine["cpu"], other["cpu"], "us each")


def metadata_servers(machine, row):
    return machine.start(Cepheus, f"c-{row}", machine.disk), machine.start(Xrootd, f"x-{row}", machine.memory)


def warm_up(machine, server, connections):
    operations = 0
    for part in range(MOST_WARMUPS):
        root = f"/warm{part}" if part else "/warm"
        done = machine.load(
            server, operation="create", connections=connections, root=root, warmup=0, seconds=WARMUP_SECONDS
        )
        operations += done["operations"]
        if operations >= WARMUP_OPERATIONS or connections == 1:
            return


def load_row(machine, operation, connections, what, least):
    ours, theirs = metadata_servers(machine, operation)
    for server in (ours, theirs):
        warm_up(machine, server, connections)

    def one_round(server, number):
        root = "/warm" if operation == "stat" else f"/round{number}"
        done = machine.load(server, operation=operation, connections=connections, root=root, warmup=3, seconds=5)
        count = max(1, done["operations"])
        return {
            "rate": done["operations"] / done["seconds"] / 1000,
            "cpu": done["cpu_seconds"] / count * 1e6,
            "p50": done["p50_us"],
            "p99": done["p99_us"],
            "switches": done["context_switches"] / count,
        }

    mine, other = in_turns(ROUNDS, (ours, theirs), one_round)
    must, passed = (f">= {least} x", mine["rate"] >= least * other["rate"]) if least else ("", None)
    yield Row(what, mine["rate"], other["rate"], "k/s", must, passed)
    yield Row("  server CPU", mine["cpu"], other["cpu"], "us each")
    yield Row("  latency p50", mine["p50"], other["p50"], "us")
    yield Row("  latency p99", mine["p99"], other["p99"], "us")
    yield Row("  context switches of the server", mine["switches"], other["switches"], "each")


def stat(machine):
    yield from load_row(machine, "stat", 16, "stat, 16 connections", 0.8)


def lonestat(machine):
    yield from load_row(machine, "stat", 1, "stat, 1 connection", 1.0)


def create(machine):
    yield from load_row(machine, "create", 64, "open-new + close, 64 connections", 0.5)


def lone(machine):
    yield from load_row(machine, "create", 1, "open-new + close, 1 connection", None)


def memory(machine):
    ours, theirs = metadata_servers(machine, "memory")
    before = ours.memory_mib(), theirs.memory_mib()
    for server in (ours, theirs):
        machine.load(
            server, operation="create", connections=100, root="/small", bytes=256 << 10, warmup=0, seconds=10
        )
    yield Row("memory before 100 streams", before[0], before[1], "MiB")
    yield Row("memory after 100 streams", ours.memory_mib(), theirs.memory_mib(), "MiB", note="256 KiB files, 10 s")


def streams(machine):
    """What a server keeps after many transfers at once; the servers take turns, as what they store fills the memory."""
    source = machine.source(MANY)
    copy = ["xrdcp", "-s", "-f"]
    kept, peak = [], []
    for make, name in ((Cepheus, "c-streams"), (Xrootd, "x-streams")):
        server = machine.start(make, name, machine.memory)
        url = f"root://127.0.0.1:{server.xrootd}//bench"
        measured(server, [[*copy, source, url]], MANY)
        down = [[*copy, url, "/dev/null"] for _ in range(STREAMS_DOWN)]
        up = [[*copy, source, f"{url}-{number}"] for number in range(STREAMS_UP)]
        measured(server, down + up, MANY)
        kept.append(server.memory_mib())
        peak.append(server.memory_mib("VmHWM"))
        machine.stop_servers()
        shutil.rmtree(machine.memory / f"{name}-data")
    what = f"memory after {STREAMS_DOWN + STREAMS_UP} streams of 256 MiB"
    yield Row(what, *kept, "MiB", "<= 768", kept[0] <= 768, f"{STREAMS_DOWN} down, {STREAMS_UP} up at once")
    yield Row("  at its peak", *peak, "MiB")


def fairness(machine):
    """Writers of 1 MiB at a time: how evenly they are served, and how long the unlucky wait."""
    ours = machine.start(Cepheus, "c-fair", machine.memory)
    theirs = machine.start(Xrootd, "x-fair", machine.memory)
    for writers in (8, 80):
        mine, other = in_turns(
            ROUNDS,
            (ours, theirs),
            lambda server, _: machine.load(
                server, "FairnessLoad", connections=writers, root=f"/fair{writers}", warmup=4, seconds=8
            ),
        )
        tail, their_tail = (done["p99_us"] / max(done["p50_us"], 1) for done in (mine, other))
        yield Row(f"{writers} writers, Jain's index", mine["jain"], other["jain"], "", ">= 0.95", mine["jain"] >= 0.95)
        yield Row("  p99 / p50 of a 1 MiB write", tail, their_tail, "x", "<= 10", tail <= 10)
        for key in ("p50", "p99", "p999"):
            yield Row(f"  latency {key}", mine[f"{key}_us"] / 1000, other[f"{key}_us"] / 1000, "ms")
        yield Row("  all together", mine["mib_per_second"], other["mib_per_second"], "MiB/s")


def core(machine):
    classes = f"{ROOT}/jmh/target/classes:{(ROOT / 'jmh/target/classpath').read_text().strip()}"
    command = [*machine.java, "-XX:+UseG1GC", "-Xms512m", "-Xmx1g", "-cp", classes, "org.cepheus.jmh.core.CoreLoad"]
    done = subprocess.run(
        [*command, machine.disk / "core"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True
    )
    for line in done.stdout.splitlines():
        if not line.startswith("{"):
            continue
        seen = json.loads(line)
        least = seen.get("must")
        must, passed = (f">= {least}", seen["rate"] >= least) if least else ("", None)
        yield Row(seen["what"], seen["rate"], None, seen["unit"], must, passed, seen.get("note", ""))


def namespace(machine):
    """Many files beside a thousand, in process."""
    classes = f"{ROOT}/jmh/target/classes:{(ROOT / 'jmh/target/classpath').read_text().strip()}"
    command = [*machine.java, "-XX:+UseG1GC", "-Xms512m", "-Xmx1g", "-cp", classes]
    command += ["org.cepheus.jmh.core.NamespaceLoad", machine.disk / "namespace", str(machine.files)]

    def figures(*phase):
        done = subprocess.run(
            [*command, *phase], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True
        )
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    there = 0
    while there < machine.files:
        for seen in figures("fill", str(FILL_SECONDS)):
            there = round(seen["value"] * 1e6)
            yield figure_row(seen)
    for seen in figures("measure"):
        yield figure_row(seen)


def figure_row(seen):
    return Row(seen["what"], seen["value"], seen["beside"], seen["unit"], seen["must"], seen["passed"], seen["note"])


def failover(machine):
    """Three MGMs, whose leader is killed: how long until another one makes a directory, and takes a file."""
    cluster = machine.start(Cluster, "cluster", machine.disk, machine.memory / "volume")
    source = machine.source(1 << 24)
    changed, copied = [], []
    for number in range(FAILOVERS):
        leader = cluster.leader()
        survivors = [i for i in range(3) if i != leader]
        cluster.kill(leader)
        start = time.monotonic()
        tries = 0
        while not makes_directory(cluster, survivors[tries % 2], f"/made{number}"):
            tries += 1
            time.sleep(0.02)
        changed.append(time.monotonic() - start)
        run(["xrdcp", "-s", source, f"root://127.0.0.1:{cluster.port(survivors[0], 0)}//copy{number}"])
        copied.append(time.monotonic() - start)
        cluster.start_again(leader)
    yield Row("leader killed, next change", median(changed), None, "s", note=f"worst {max(changed):.2f}")
    yield Row("leader killed, next xrdcp done", median(copied), None, "s", note=f"worst {max(copied):.2f}")


def makes_directory(cluster, member, path):
    """Asks a member, and whoever it sends to."""
    port = cluster.port(member, 1)
    for _ in range(3):
        with contextlib.suppress(OSError, HTTPException):
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("MKCOL", path)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            if answer.status in (201, 405):  # 405: an answer was lost, the directory is there
                return True
            if answer.status in (302, 307):
                port = urllib.parse.urlsplit(answer.getheader("Location")).port
                continue
        return False
    return False


ROWS = {
    row.__name__: row
    for row in (
        xrdcp,
        plain,
        http,
        small,
        stat,
        lonestat,
        login,
        listing,
        create,
        lone,
        memory,
        streams,
        fairness,
        core,
        failover,
        namespace,
    )
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", choices=[[], *ROWS], metavar="row")
    parser.add_argument("--files", type=int, default=10_000_000, help="of the row namespace")
    arguments = parser.parse_args()
    wanted = arguments.rows or list(ROWS)
    # Who is told to end ends the servers, too, and gives their memory back.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    rows = []
    for name in wanted:
        machine = Machine(arguments.files)
        try:
            for row in ROWS[name](machine):
                if not rows:
                    print(HEADER)
                rows.append(row)
                row.print()
                sys.stdout.flush()
        except (RuntimeError, subprocess.CalledProcessError) as failure:
            print(f"{name}: {failure}", file=sys.stderr)
            rows.append(Row(name, 0, None, "", passed=False, note="did not run"))
            rows[-1].print()
        finally:
            machine.close()
    failed = [row.what for row in rows if row.passed is False]
    print("every row reaches what it must" if not failed else f"missed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
