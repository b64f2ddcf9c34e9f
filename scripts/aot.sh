#!/bin/bash
# Makes the AOT caches of a built distribution: a real cluster is started, used a little and stopped,
# and what the JVMs loaded meanwhile is kept. Without the caches everything works, only slower.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
dist=$root/app/target/dist
work=$(mktemp -d)
server=
quiet='-Xlog:aot=off -Xlog:aot*=off'
# Classes only. A profile of so little use misleads the compiler for as long as the server runs: a tenth fewer creates.
unprofiled='-XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining'

clean_up() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

# Waits until a condition holds, at most so many tenths of a second.
wait_for() {
    local tenths=$1
    shift
    while ! "$@"; do
        ((tenths-- > 0)) || return 1
        sleep 0.1
    done
}

is_ready() { grep -q '^ready' "$work/out"; }
is_over() { ! kill -0 "$server" 2>/dev/null; }

start() { # on some free ports; another try only if it ended by itself
    for _ in 1 2 3; do
        base=$((20000 + RANDOM % 12000))
        CEPHEUS_JVM_FLAGS="-XX:AOTCacheOutput=$work/servers.aot $quiet $unprofiled" \
            "$root/cepheus" up --data "$work/data" --port-base "$base" >"$work/out" 2>"$work/err" &
        server=$!
        wait_for 600 eval 'is_ready || is_over' || return 1
        if is_ready; then
            return 0
        fi
        rm -rf "$work/data"
    done
    cat "$work/err" >&2
    return 1
}

# Each protocol in and out, so that its classes are in the cache.
use() {
    local http=http://127.0.0.1:$((base + 10)) xrootd=root://127.0.0.1:$base
    head -c 3000000 /dev/zero >"$work/file"
    curl -sS -m 20 -L -T "$work/file" "$http/file" -o /dev/null
    curl -sS -m 20 -L "$http/file" -o /dev/null
    if command -v xrdcp >/dev/null; then
        export XRD_CONNECTIONWINDOW=5 XRD_CONNECTIONRETRY=1 XRD_REQUESTTIMEOUT=20
        xrdcp -f -s "$work/file" "$xrootd//copy"
        xrdcp -f -s "$xrootd//copy" "$work/back"
        xrdfs "$xrootd" ls -l / >/dev/null
    fi
    CEPHEUS_JVM_FLAGS="-XX:AOTCacheOutput=$work/commands.aot $quiet $unprofiled" \
        "$root/cepheus" ls / --data "$work/data" >/dev/null 2>&1
}

base=
start
use || true # Whatever was loaded until then is worth keeping.
kill "$server"
wait_for 600 is_over
server=
for cache in servers commands; do
    [[ ! -s $work/$cache.aot ]] || mv "$work/$cache.aot" "$dist/$cache.aot"
done
