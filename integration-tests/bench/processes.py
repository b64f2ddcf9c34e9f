"""The servers that are compared: started on loopback, measured by /proc, ended by their process id."""

import contextlib
import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
START_SECONDS = 60
STOP_SECONDS = 30


class Server:
    """A running process (with its children) and the ports it answers on."""

    name = "server"
    warmup_rounds = 1  # native code needs one, for its caches

    def __init__(self, command, work, user=None):
        self.work = work
        self.log = work / f"{self.name}.log"
        with open(self.log, "wb") as log:
            as_user = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd=work, **as_user
            )

    @property
    def pid(self):
        return self.process.pid

    def wait_for_port(self, port):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self.require_alive()
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{self.name} does not answer on port {port}: see {self.log}")

    def require_alive(self):
        if self.process.poll() is not None:
            tail = self.log.read_text(errors="replace")[-2000:]
            raise RuntimeError(f"{self.name} has ended with code {self.process.returncode}:\n{tail}")

    def pids(self):
        """The process and its children; grandchildren do not occur here."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [self.pid, *map(int, children)]

    def cpu_seconds(self):
        """User and system time since the start, all threads, from /proc/PID/stat."""
        return sum(_cpu_seconds(pid) for pid in self.pids())

    def memory_mib(self, row="VmRSS"):
        return sum(_memory_kib(pid, row) for pid in self.pids()) / 1024

    def kill(self):
        """kill -9, of a server without children."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def _cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def _memory_kib(pid, row):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(row + ":"):
            return int(line.split()[1])
    return 0


def free_port_base(count):
    """A base with so many free ports at and above it."""
    for base in range(21000, 32000, 100):
        if all(_is_free(base + offset) for offset in range(count)):
            return base
    raise RuntimeError("no free ports on loopback")


def _is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False


class Cepheus(Server):
    """`./cepheus up`: one MGM and two FSTs in one process; metadata, log and volumes below one directory."""

    name = "cepheus"
    # Transfers are few calls for many bytes: compiling is a third of the first round's CPU, a twelfth of the fifth's.
    warmup_rounds = 8

    def __init__(self, work, data):
        work.mkdir(parents=True)
        base = free_port_base(50)
        self.xrootd = base
        self.url = f"http://127.0.0.1:{base + 10}"
        self.data = data
        super().__init__([ROOT / "cepheus", "up", "--data", data, "--port-base", str(base)], work)
        self._wait_for_ready()

    def _wait_for_ready(self):
        deadline = time.monotonic() + START_SECONDS
        while "ready" not in self.log.read_text(errors="replace"):
            self.require_alive()
            if time.monotonic() > deadline:
                raise RuntimeError(f"cepheus is not ready: see {self.log}")
            time.sleep(0.05)


class Xrootd(Server):
    """Debian's xrootd: one data server with its HTTP plugin. It refuses to run as root."""

    name = "xrootd"
    more = ""

    def __init__(self, work, data):
        work.mkdir(parents=True)
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        self.xrootd = free_port_base(2)
        self.url = f"http://127.0.0.1:{self.xrootd + 1}"
        config = work / "xrootd.cfg"
        config.write_text(
            f"all.export /\noss.localroot {data}\nall.adminpath {work}\nall.pidpath {work}\nxrd.port {self.xrootd}\n"
            f"xrd.protocol http:{self.xrootd + 1} libXrdHttp.so\n{self.more}"
        )
        super().__init__(["xrootd", "-c", config, "-n", "bench"], work, _unprivileged(work, data))
        self.wait_for_port(self.xrootd)


class XrootdWithLogin(Xrootd):
    """The same, asking who a client is, as Cepheus does."""

    more = "xrootd.seclib libXrdSec.so\nsec.protocol unix\n"


def _unprivileged(*directories):
    """Who xrootd runs as, which refuses to be root; the directories are given to them. None: as who we are."""
    if os.geteuid() != 0:
        return None
    for path in directories:
        shutil.chown(path, "nobody")
    return "nobody"


class XrootdSite:
    """xrootd as a site with a shared file system runs it: a manager sends clients on to a data server."""

    name = "xrootd site"
    warmup_rounds = Server.warmup_rounds

    def __init__(self, work, data):
        data.mkdir(parents=True, exist_ok=True)
        base = free_port_base(4)
        self.data = data
        self.xrootd = base
        self.url = f"http://127.0.0.1:{base}"
        self.parts = []
        try:
            self._start_part("manager", work, base)
            self._start_part("server", work, base + 2)
            self._wait_until_it_serves()
        except BaseException:
            self.stop()
            raise

    def _start_part(self, role, work, port):
        """An xrootd and its cmsd, which knows the others."""
        home = work / role
        home.mkdir(parents=True)
        config = home / "site.cfg"
        config.write_text(
            f"all.role {role}\nall.manager 127.0.0.1:{self.xrootd + 1}\nall.export /\noss.localroot {self.data}\n"
            f"all.adminpath {home}\nall.pidpath {home}\ncms.dfs lookup central redirect immed\n"
            "cms.delay startup 1 servers 1\n"
            f"if exec cmsd\nxrd.port {port + 1}\nelse\nxrd.port {port}\n"
            f"xrd.protocol XrdHttp:{port} libXrdHttp.so\nfi\n"
        )
        user = _unprivileged(home, self.data)
        for program in ("cmsd", "xrootd"):
            self.parts.append(Part(program, [program, "-c", config, "-n", role], home, user))
        self.parts[-1].wait_for_port(port)

    def _wait_until_it_serves(self):
        """Until the data server has told the manager that it is there, clients are asked to wait."""
        deadline = time.monotonic() + START_SECONDS
        path = f"/ready-{self.xrootd}"
        (self.data / path[1:]).touch()
        while time.monotonic() < deadline:
            self.require_alive()
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.xrootd, timeout=2)
                connection.request("GET", path)
                if connection.getresponse().status == 302:
                    return
            time.sleep(0.2)
        raise RuntimeError(f"the manager sends nobody on after {START_SECONDS} s: see {self.parts[0].log}")

    def require_alive(self):
        for part in self.parts:
            part.require_alive()

    def stop(self):
        for part in self.parts:
            part.stop()


class Part(Server):
    """One process of several."""

    def __init__(self, name, command, work, user):
        self.name = name
        super().__init__(command, work, user)


class Nginx(Server):
    """nginx with one worker, sendfile, and WebDAV's PUT."""

    name = "nginx"

    def __init__(self, work, data):
        work.mkdir(parents=True)
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        port = free_port_base(1)
        self.url = f"http://127.0.0.1:{port}"
        config = work / "nginx.conf"
        config.write_text(
            f"""
            {"user root;" if os.geteuid() == 0 else ""}
            daemon off; worker_processes 1; pid {work}/nginx.pid; error_log stderr;
            events {{ worker_connections 256; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; client_max_body_size 0;
                client_body_temp_path {data}/body;
                proxy_temp_path {work}/proxy; fastcgi_temp_path {work}/fastcgi;
                uwsgi_temp_path {work}/uwsgi; scgi_temp_path {work}/scgi;
                server {{ listen 127.0.0.1:{port}; root {data}; dav_methods PUT DELETE; create_full_put_path on; }}
            }}
            """
        )
        super().__init__(["/usr/sbin/nginx", "-p", work, "-c", config], work)
        self.wait_for_port(port)


class Member(Server):
    """One process of a cluster, with its configuration file."""

    def __init__(self, kind, name, work, config, *options):
        self.name = name
        file = work / f"{name}.toml"
        file.write_text(config)
        super().__init__([ROOT / "cepheus", kind, "--config", file, *options], work)


class Cluster:
    """Three MGM processes and an FST on loopback, the MGMs' logs on the disk below `work`."""

    UUID = "5f0c8a52-7c3e-4d0e-9b7a-0d6f3c1b2a94"

    def __init__(self, work, volume):
        work.mkdir(parents=True)
        volume.mkdir(parents=True)
        self.work = work
        self.base = free_port_base(50)
        self._private("secret", "0123456789abcdef" * 4)
        key = [ROOT / "cepheus", "key", "fst", "--id", "1", "--secret-file", work / "secret"]
        self._private("fst1.key", subprocess.run(key, check=True, text=True, stdout=subprocess.PIPE).stdout.strip())
        self.mgms = [self._mgm(i) for i in range(3)]
        self.fst = Member("fst", "fst1", work, self._fst_config(volume), "--init-volumes")
        self.wait_until(lambda: self.leader() is not None, "one leads")
        self.wait_until(self.has_fst, "the FST is offered")

    def _private(self, name, text):
        path = self.work / name
        path.write_text(text + "\n")
        path.chmod(0o600)

    def port(self, member, offset):
        """The ports of a member: 0 XRootD, 1 HTTP, 2 admin, 3 Raft, 4 control."""
        return self.base + 10 * member + offset

    def _mgm(self, number):
        config = f"""
            member = "mgm{number}"
            cluster = "{self.UUID}"
            data = "{self.work}/mgm{number}"
            secret_file = "{self.work}/secret"
            """
        for i in range(3):
            config += f"""
                [[members]]
                id = "mgm{i}"
                host = "127.0.0.1"
                xrootd = {self.port(i, 0)}
                http = {self.port(i, 1)}
                admin = {self.port(i, 2)}
                raft = {self.port(i, 3)}
                control = {self.port(i, 4)}
                """
        return Member("mgm", f"mgm{number}", self.work, config)

    def _fst_config(self, volume):
        mgms = ", ".join(f'"127.0.0.1:{self.port(i, 4)}"' for i in range(3))
        return f"""
            id = 1
            cluster = "{self.UUID}"
            host = "127.0.0.1"
            xrootd = {self.port(3, 0)}
            http = {self.port(3, 1)}
            admin = {self.port(3, 2)}
            key_file = "{self.work}/fst1.key"
            audit_file = "{self.work}/audit.jsonl"
            mgms = [{mgms}]
            [[volume]]
            id = 1
            path = "{volume}"
            """

    def status(self, member):
        """What a member says of the cluster; nothing while it does not answer."""
        token = self.work / f"mgm{member}" / "admin.token"
        with contextlib.suppress(OSError, http.client.HTTPException):
            request = urllib.request.Request(f"http://127.0.0.1:{self.port(member, 2)}/api/v1/status")
            request.add_header("Authorization", f"Bearer {token.read_text().strip()}")
            with urllib.request.urlopen(request, timeout=5) as answer:
                return json.load(answer)
        return {}

    def leader(self):
        roles = [self.status(i).get("role", "") for i in range(3)]
        return next((i for i, role in enumerate(roles) if role.lower() == "leader"), None)

    def has_fst(self):
        leader = self.leader()
        return leader is not None and any(fst["alive"] for fst in self.status(leader).get("fsts", []))

    def has_caught_up(self, member):
        leader = self.leader()
        return leader is not None and self.status(member).get("appliedIndex", -1) >= self.status(leader)["appliedIndex"]

    def kill(self, member):
        self.mgms[member].kill()

    def start_again(self, member):
        self.mgms[member] = self._mgm(member)
        self.wait_until(lambda: self.has_caught_up(member), f"mgm{member} has caught up")
        self.wait_until(self.has_fst, "the FST is offered")

    def wait_until(self, condition, what):
        deadline = time.monotonic() + START_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"still not after {START_SECONDS} s: {what}; see {self.work}")
            time.sleep(0.05)

    def stop(self):
        for member in [*self.mgms, self.fst]:
            member.stop()
