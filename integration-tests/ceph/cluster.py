#!/usr/bin/python3
"""A real Ceph for tests: one mon, mgr and MDS, three OSDs, and a CephFS with a replicated and an erasure-coded directory.

usage: cluster.py DIR PORT

DIR is new and short (at most 60 characters: it holds Unix sockets); PORT to PORT + 39 on 127.0.0.1 are used. When the
file system takes writes it prints "ok ready". Then it reads commands, one a line, and answers each with a line that
begins with "ok" or "failed":

  mount CEPHFS-DIRECTORY MOUNTPOINT [option...]   by ceph-fuse
  umount MOUNTPOINT                               as an operator would; fails while files are open
  kill NAME | pause NAME | resume NAME            SIGKILL, SIGSTOP, SIGCONT; NAME is osd.0 or a mount point
  start NAME                                      an OSD that was killed
  settle                                          waits until all OSDs are up, all data is whole and the MDS is active

It ends all that it started when its input ends, on SIGTERM, and when a start fails. Nothing of it survives it.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
import uuid

import cephfs
import rados

OSDS = 3
OSD_BYTES = 3 << 30
FS = "cephfs"
META, PLAIN, CODED = "meta", "plain", "coded"
DIRECTORIES = {"/plain": PLAIN, "/coded": CODED}
START_SECONDS = 90
SETTLE_SECONDS = 90
UMOUNT_SECONDS = 10
PR_SET_PDEATHSIG = 1

CONF = """
[global]
fsid = {fsid}
mon_host = [v2:127.0.0.1:{port}/0]
public_network = 127.0.0.0/8
cluster_network = 127.0.0.0/8
ms_bind_ipv6 = false
ms_bind_msgr1 = false
ms_bind_port_min = {first}
ms_bind_port_max = {last}
ms_async_op_threads = 1
auth_allow_insecure_global_id_reclaim = false
keyring = {dir}/keyring
run_dir = {dir}/run
admin_socket = {dir}/run/$name.$pid.asok
log_file = {dir}/log/$name.log
crash_dir = {dir}/crash
pid_file =
log_max_recent = 100
# The placement of three OSDs on one host; one may be gone.
osd_pool_default_size = 2
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_crush_initial_weight = 1
# A silent OSD is out after some seconds, not after 20; the mon reads this, too.
osd_heartbeat_interval = 1
osd_heartbeat_grace = 4
[mon]
mon_data = {dir}/mon
mon_initial_members = a
mon_cluster_log_file = {dir}/log/cluster.log
mon_osd_min_down_reporters = 1
mon_osd_reporter_subtree_level = osd
mon_osd_down_out_interval = 600
mon_osd_adjust_heartbeat_grace = false
mon_warn_on_pool_no_redundancy = false
mon_data_avail_warn = 1
mon_data_avail_crit = 0
mon_memory_autotune = false
rocksdb_cache_size = 32M
mon_tick_interval = 1
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
mgr_initial_modules =
[mgr]
mgr_data = {dir}/mgr
mgr_initial_modules =
mgr_stats_period = 1
mgr_tick_period = 1
[mds]
mds_data = {dir}/mds
mds_cache_memory_limit = 64M
mds_beacon_interval = 1
[osd]
osd_data = {dir}/$name
osd_objectstore = bluestore
osd_class_update_on_start = false
bluestore_block_size = {osd_bytes}
bluestore_block_db_create = false
bluestore_block_wal_create = false
bluestore_cache_autotune = false
bluestore_cache_size = 32M
bluestore_fsck_quick_fix_on_mount = false
osd_memory_target = 1G
osd_op_num_shards = 2
osd_op_num_threads_per_shard = 2
osd_mon_report_interval = 1
osd_max_pg_log_entries = 200
osd_min_pg_log_entries = 100
osd_scrub_min_interval = 864000
osd_scrub_max_interval = 8640000
osd_deep_scrub_interval = 8640000
"""

# What an FST's mount needs, and no more.
FST_CAPS = {
    "mon": "allow r",
    "mds": f"allow rwp fsname={FS}",
    "osd": f"allow rw tag cephfs data={FS}",
}


class Failure(Exception):
    """One sentence for whoever gave the command."""


def until(what, condition, seconds=START_SECONDS):
    end = time.monotonic() + seconds
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > end:
            raise Failure(f"after {seconds} s still not: {what}")
        time.sleep(0.1)


def dies_with_us():
    """In the child: the kernel kills it when this script ends, however it ends."""
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def is_mounted(point):
    with open("/proc/mounts", encoding="utf-8") as mounts:
        return any(line.split()[1] == point for line in mounts)


class Cluster:
    def __init__(self, directory, port):
        self.dir = directory
        self.port = port
        self.conf = f"{directory}/ceph.conf"
        self.running = {}
        self.mounts = {}
        self.rados = None

    # -- programs

    def run(self, *command):
        with open(f"{self.dir}/log/tools.out", "ab") as log:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=START_SECONDS)
        if done.returncode:
            raise Failure(f"{' '.join(command)} exited with {done.returncode}, see {self.dir}/log")

    def spawn(self, name, *command):
        with open(f"{self.dir}/log/{name.replace('/', '_')}.out", "ab") as log:
            self.running[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=dies_with_us
            )

    def daemon(self, kind, number):
        self.spawn(f"{kind}.{number}", f"ceph-{kind}", "-f", "-c", self.conf, "-i", str(number))

    def signal(self, name, number):
        process = self.running.get(name)
        if process is None or process.poll() is not None:
            raise Failure(f"{name} does not run")
        process.send_signal(number)
        if number == signal.SIGKILL:
            process.wait()
            if name in self.mounts:
                self.evict(process.pid)

    def evict(self, pid):
        """The MDS keeps what a killed ceph-fuse holds for a minute, five if nobody asks; an operator would not wait."""
        fs = cephfs.LibCephFS(conffile=self.conf, auth_id="admin")
        fs.init()
        try:
            for session in self.mds(fs, "session ls"):
                if session["client_metadata"].get("pid") == str(pid):
                    self.mds(fs, "session evict", filters=[f"id={session['id']}"])
        finally:
            fs.shutdown()

    @staticmethod
    def mds(fs, prefix, **arguments):
        code, out, err = fs.mds_command("a", json.dumps({"prefix": prefix, "format": "json", **arguments}), "")
        if code:
            raise Failure(f"{prefix} {arguments}: {err}")
        return json.loads(out) if out.strip() else []

    # -- the mon's commands, over one connection

    def mon(self, prefix, **arguments):
        code, out, err = self.rados.mon_command(json.dumps({"prefix": prefix, "format": "json", **arguments}), b"", 30)
        if code:
            raise Failure(f"{prefix} {arguments}: {err}")
        return json.loads(out) if out.strip() else {}

    # -- start

    def start(self):
        for part in ("log", "run", "crash", "mon", "mgr", "mds"):
            os.makedirs(f"{self.dir}/{part}")
        fsid = str(uuid.uuid4())
        with open(self.conf, "w", encoding="utf-8") as conf:
            conf.write(
                CONF.format(
                    dir=self.dir, fsid=fsid, port=self.port, first=self.port + 1, last=self.port + 39, osd_bytes=OSD_BYTES
                )
            )
        self.make_keys()
        self.start_mon(fsid)
        self.start_osds()
        self.make_file_system()
        self.make_directories()
        until("the mgr counts the room", lambda: self.mon("df")["stats"]["total_bytes"] > OSDS * OSD_BYTES // 2)

    def make_keys(self):
        everything = {"mon": "allow *", "osd": "allow *", "mds": "allow *", "mgr": "allow *"}
        keys = {
            "mon.": {"mon": "allow *"},
            "client.admin": everything,
            "client.fst": FST_CAPS,
            "mgr.x": {"mon": "allow profile mgr", "osd": "allow *", "mds": "allow *"},
            "mds.a": {"mon": "allow profile mds", "osd": "allow rw tag cephfs *=*", "mgr": "allow profile mds"},
        }
        for osd in range(OSDS):
            keys[f"osd.{osd}"] = {"mon": "allow profile osd", "mgr": "allow profile osd", "osd": "allow *"}
        self.run("ceph-authtool", "--create-keyring", f"{self.dir}/keyring")
        for name, caps in keys.items():
            words = [word for service, cap in caps.items() for word in ("--cap", service, cap)]
            self.run("ceph-authtool", f"{self.dir}/keyring", "--gen-key", "-n", name, *words)

    def start_mon(self, fsid):
        monmap = f"{self.dir}/monmap"
        address = f"[v2:127.0.0.1:{self.port}]"
        self.run(
            "monmaptool", "--create", "--fsid", fsid, "--addv", "a", address, "--set-min-mon-release", "16", monmap
        )
        self.run(
            "ceph-mon", "--mkfs", "-c", self.conf, "-i", "a", "--monmap", monmap, "--keyring", f"{self.dir}/keyring"
        )
        self.daemon("mon", "a")
        self.rados = rados.Rados(conffile=self.conf, name="client.admin", conf={"rados_mon_op_timeout": "30"})
        self.rados.connect(timeout=START_SECONDS)

    def start_osds(self):
        self.daemon("mgr", "x")
        made = []
        for osd in range(OSDS):
            os.makedirs(f"{self.dir}/osd.{osd}")
            name = str(uuid.uuid4())
            self.mon("osd new", uuid=name, id=osd)
            command = ["ceph-osd", "-i", str(osd), "-c", self.conf, "--mkfs", "--osd-uuid", name]
            with open(f"{self.dir}/log/tools.out", "ab") as log:
                made.append(subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=dies_with_us))
        for osd, process in enumerate(made):
            if process.wait(START_SECONDS):
                raise Failure(f"osd.{osd} cannot be made, see {self.dir}/log")
            self.daemon("osd", osd)

    def make_file_system(self):
        size = {"pg_num": 8, "pgp_num": 8, "autoscale_mode": "off"}
        self.mon(
            "osd erasure-code-profile set",
            name="two-and-one",
            profile=["k=2", "m=1", "plugin=jerasure", "technique=reed_sol_van", "crush-failure-domain=osd"],
        )
        self.mon("osd pool create", pool=META, **size)
        self.mon("osd pool create", pool=PLAIN, **size)
        self.mon("osd pool create", pool=CODED, pool_type="erasure", erasure_code_profile="two-and-one", **size)
        # Files are written in place; without this an erasure-coded pool takes whole objects only.
        self.mon("osd pool set", pool=CODED, var="allow_ec_overwrites", val="true")
        self.mon("fs new", fs_name=FS, metadata=META, data=PLAIN)
        self.mon("fs add_data_pool", fs_name=FS, pool=CODED)
        self.daemon("mds", "a")
        until("the MDS is active", self.mds_is_active)

    def mds_is_active(self):
        ranks = self.mon("fs dump")["filesystems"][0]["mdsmap"]["info"].values()
        return any(rank["state"] == "up:active" for rank in ranks)

    def make_directories(self):
        """A write and a sync in each prove that their pools take data: an active MDS does not."""
        fs = cephfs.LibCephFS(conffile=self.conf, auth_id="admin")
        fs.mount(filesystem_name=FS)
        try:
            for directory, pool in DIRECTORIES.items():
                fs.mkdir(directory, 0o755)
                fs.setxattr(directory, "ceph.dir.layout.pool", pool.encode(), 0)
                probe = f"{directory}/probe"
                file = fs.open(probe, "w", 0o600)
                fs.write(file, b"x", 0)
                fs.fsync(file, 0)
                fs.close(file)
                fs.unlink(probe)
        finally:
            fs.shutdown()

    # -- commands

    def mount(self, directory, point, *options):
        os.makedirs(point, exist_ok=True)
        self.spawn(
            point, "ceph-fuse", "-f", "-c", self.conf, "-n", "client.fst", "--client_fs", FS, "-r", directory, *options, point
        )
        until(f"{point} is mounted", lambda: is_mounted(point) or self.running[point].poll() is not None)
        if self.running[point].poll() is not None:
            raise Failure(f"ceph-fuse of {point} has ended, see {self.dir}/log")
        self.mounts[point] = True

    def umount(self, point):
        try:
            done = subprocess.run(["umount", point], capture_output=True, text=True, timeout=UMOUNT_SECONDS)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"umount {point} takes too long") from late
        if done.returncode:
            raise Failure(done.stderr.strip())
        self.mounts.pop(point, None)

    def is_whole(self):
        status = self.mon("status")
        states = [row["state_name"] for row in status["pgmap"]["pgs_by_state"]]
        return status["osdmap"]["num_up_osds"] == OSDS and states == ["active+clean"] and self.mds_is_active()

    def restart(self, name):
        kind, number = name.split(".")
        self.daemon(kind, number)

    def obey(self, words):
        match words:
            case ["mount", directory, point, *options]:
                self.mount(directory, point, *options)
            case ["umount", point]:
                self.umount(point)
            case ["kill", name]:
                self.signal(name, signal.SIGKILL)
            case ["pause", name]:
                self.signal(name, signal.SIGSTOP)
            case ["resume", name]:
                self.signal(name, signal.SIGCONT)
            case ["start", name]:
                self.restart(name)
            case ["settle"]:
                until("the cluster is whole", self.is_whole, SETTLE_SECONDS)
            case _:
                raise Failure(f"not understood: {' '.join(words)}")

    # -- end

    def end(self):
        """The data is thrown away, so nobody needs a farewell; a killed ceph-fuse lets go of whoever waits for it."""
        for process in reversed(self.running.values()):
            if process.poll() is None:
                process.kill()
        for point in self.mounts:
            subprocess.run(["umount", "-l", point], capture_output=True, timeout=UMOUNT_SECONDS)
        for name, process in self.running.items():
            try:
                process.wait(UMOUNT_SECONDS)
            except subprocess.TimeoutExpired:
                print(f"{name} (pid {process.pid}) does not end", file=sys.stderr)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    directory, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    if len(directory) > 60:
        print(f"failed: {directory} is too long for Unix sockets", flush=True)
        return 1
    os.makedirs(directory)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    cluster = Cluster(directory, port)
    try:
        began = time.monotonic()
        cluster.start()
        print(f"ok ready after {time.monotonic() - began:.1f} s", flush=True)
        for line in sys.stdin:
            try:
                cluster.obey(line.split())
                print(f"ok {line.strip()}", flush=True)
            except (Failure, OSError) as failure:
                print(f"failed {line.strip()}: {failure}", flush=True)
    except (Failure, rados.Error, cephfs.Error, OSError, subprocess.SubprocessError) as failure:
        print(f"failed: {failure}", flush=True)
        return 1
    finally:
        cluster.end()
    return 0


if __name__ == "__main__":
    # Daemons and the connection's own threads are gone or do not matter: leave at once.
    status = main()
    sys.stdout.flush()
    os._exit(status)
