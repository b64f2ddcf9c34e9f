package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The newer generation: XrdCl 6, uproot and fsspec from PyPI. */
class PythonClientsIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void xrdClSixCopiesInAndOut() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 50_000_000, 6);
        Path copy = directory.resolve("copy");

        python(
                """
                import sys
                from XRootD import client
                local, url, copy = sys.argv[1:]
                for source, target in ((local, url), (url, "file://" + copy)):
                    process = client.CopyProcess()
                    process.add_job(source, target, checksummode="end2end", checksumtype="adler32")
                    assert process.prepare().ok
                    status, results = process.run()
                    assert status.ok, results
                """,
                "file://" + sample.file(),
                UP.get().root("/six"),
                copy);

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void xrdClSixReadsPiecesAndListsWithStat() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 5_000_000, 7);
        Client.named("xrdcp").run("-p", sample.file(), UP.get().root("/pieces/file")).succeeded();

        python(
                """
                import sys
                from XRootD import client
                from XRootD.client.flags import DirListFlags
                local, server, url = sys.argv[1:]
                data = open(local, "rb").read()
                with client.File() as file:
                    status, _ = file.open(url)
                    assert status.ok, status
                    status, got = file.vector_read([(0, 10), (4000000, 70000), (100, 5000)])
                    assert status.ok, status
                    for chunk in got.chunks:
                        assert chunk.buffer == data[chunk.offset:chunk.offset + chunk.length]
                    status, piece = file.read(1234567, 100)
                    assert piece == data[1234567:1234667]
                status, names = client.FileSystem(server).dirlist("/pieces", DirListFlags.STAT)
                assert status.ok, status
                assert [(e.name, e.statinfo.size) for e in names] == [("file", len(data))], list(names)
                """,
                sample.file(),
                UP.get().server(),
                UP.get().root("/pieces/file"));
    }

    @Test
    void xrdClSixUpdatesAFileInPlace() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 1_000_000, 8);
        Client.named("xrdcp").run(sample.file(), UP.get().root("/update")).succeeded();

        python(
                """
                import sys
                from XRootD import client
                from XRootD.client.flags import OpenFlags
                local, url = sys.argv[1:]
                data = bytearray(open(local, "rb").read())
                data[5000:5006] = b"update"
                data += b"more"
                with client.File() as file:
                    status, _ = file.open(url, OpenFlags.UPDATE)
                    assert status.ok, status
                    assert file.write(b"update", 5000)[0].ok
                    assert file.write(b"more", 1000000)[0].ok
                with client.File() as file:
                    assert file.open(url)[0].ok
                    status, got = file.read()
                    assert got == bytes(data), len(got)
                """,
                sample.file(),
                UP.get().root("/update"));
    }

    @Test
    void xrdClSixAppends() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 10_000, 9);
        Client.named("xrdcp").run(sample.file(), UP.get().root("/append")).succeeded();

        python(
                """
                import sys
                from XRootD import client
                APPEND = 0x200
                local, url = sys.argv[1:]
                with client.File() as file:
                    status, _ = file.open(url, APPEND)
                    assert status.ok, status
                    assert file.write(b"first", 0)[0].ok
                    assert file.write(b"second", 0)[0].ok
                with client.File() as file:
                    assert file.open(url)[0].ok
                    status, got = file.read()
                    assert got == open(local, "rb").read() + b"firstsecond", got[-20:]
                """,
                sample.file(),
                UP.get().root("/append"));
    }

    @Test
    void xrdClSixOpensAsItsFlagsSay() throws IOException {
        python(
                """
                import sys
                from XRootD import client
                from XRootD.client.flags import OpenFlags
                url = sys.argv[1]
                def write(flags, data, offset=0):
                    with client.File() as file:
                        status, _ = file.open(url, flags)
                        if not status.ok:
                            return status.errno
                        status, _ = file.write(data, offset)
                        assert status.ok, status
                        status, info = file.stat(force=True)
                        assert status.ok and info.size >= len(data), (status, info)
                        assert file.sync()[0].ok
                        status = file.close()[0]
                        assert status.ok, status
                def content():
                    with client.File() as file:
                        assert file.open(url, OpenFlags.READ)[0].ok
                        return file.read()[1]
                assert write(OpenFlags.NEW, b"x") == 3011, "no parents"
                assert write(OpenFlags.UPDATE | OpenFlags.MAKEPATH, b"x") == 3011, "nothing to update"
                assert not write(OpenFlags.NEW | OpenFlags.MAKEPATH | OpenFlags.POSC, b"first")
                assert content() == b"first"
                assert write(OpenFlags.NEW, b"x") == 3018, "is there"
                assert not write(OpenFlags.DELETE | OpenFlags.SEQIO, b"second")
                assert content() == b"second"
                assert not write(OpenFlags.UPDATE, b"SEC")
                assert content() == b"SECond"
                assert not write(OpenFlags.UPDATE | OpenFlags.SEQIO, b" more", 6)
                assert content() == b"SECond more"
                with client.File() as file:
                    assert file.open(url, OpenFlags.UPDATE)[0].ok
                    assert file.truncate(3)[0].ok
                assert content() == b"SEC"
                """,
                UP.get().root("/flags/a/file"));
    }

    @Test
    void xrdClSixKeepsAttributesOfPathsAndOpenFiles() throws IOException {
        python(
                """
                import sys
                from XRootD import client
                from XRootD.client.flags import OpenFlags
                server, url = sys.argv[1:]
                def ok(answer):
                    assert answer[0].ok, answer
                    return answer[1]
                fs = client.FileSystem(server)
                with client.File() as file:
                    ok(file.open(url, OpenFlags.NEW))
                    ok(file.write(b"x"))
                    assert all(s["ok"] for _, s in ok(file.set_xattr([("early", "0")])))
                path = "/attributes"
                assert ok(fs.get_xattr(path, ["early"]))[0][1] == "0"
                ok(fs.del_xattr(path, ["early"]))
                assert all(s["ok"] for _, s in ok(fs.set_xattr(path, [("a", "1"), ("b", "two " * 5000)])))
                got = ok(fs.get_xattr(path, ["a", "none", "b"]))
                assert [(n, v) for n, v, s in got if s["ok"]] == [("a", "1"), ("b", "two " * 5000)], got
                assert [s["errno"] for n, v, s in got if not s["ok"]] == [3027], got
                with client.File() as file:
                    ok(file.open(url, OpenFlags.READ))
                    assert sorted(n for n, v, s in ok(file.list_xattr())) == ["a", "b"]
                    assert all(s["ok"] for _, s in ok(file.set_xattr([("c", "3")])))
                    assert all(s["ok"] for _, s in ok(file.del_xattr(["a", "b"])))
                assert [(n, v) for n, v, s in ok(fs.list_xattr(path))] == [("c", "3")]
                """,
                UP.get().server(),
                UP.get().root("/attributes"));
    }

    @Test
    void xrdClSixAsksAboutTheFilesystem() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 70_000, 9);
        Client.named("xrdcp").run("-p", sample.file(), UP.get().root("/asked/file")).succeeded();

        python(
                """
                import sys
                from XRootD import client
                from XRootD.client.flags import (
                    AccessMode, DirListFlags, OpenFlags, PrepareFlags, QueryCode)
                server, adler32 = sys.argv[1:]
                fs = client.FileSystem(server)
                def ok(answer):
                    assert answer[0].ok, answer
                    return answer[1]
                ok(fs.truncate("/asked/file", 60000))
                assert ok(fs.stat("/asked/file")).size == 60000
                assert ok(fs.statvfs("/")).nodes_rw == 1
                assert [l.accesstype for l in ok(fs.locate("/asked/file", OpenFlags.NONE))] == [1]
                assert len(list(ok(fs.deeplocate("/asked/file", OpenFlags.REFRESH)))) == 1
                request = ok(fs.prepare(["/asked/file"], PrepareFlags.STAGE)).decode()
                state = ok(fs.query(QueryCode.PREPARE, request + "\\n/asked/file")).decode()
                assert '"online":true' in state, state
                ok(fs.prepare(["/asked/file"], PrepareFlags.EVICT))
                names = ok(fs.dirlist("/asked", DirListFlags.STAT | DirListFlags.RECURSIVE))
                assert [(e.name, e.statinfo.size) for e in names] == [("file", 60000)], list(names)
                assert ok(fs.query(QueryCode.CONFIG, "readv_iov_max")) == b"1024\\n"
                assert b"oss.used=60000&" in ok(fs.query(QueryCode.XATTR, "/asked/file"))
                assert fs.query(QueryCode.OPAQUE, "x")[0].errno == 3013
                ok(fs.sendinfo("job 7"))
                assert b"<note>job 7</note>" in ok(fs.query(QueryCode.STATS, "a"))
                ok(fs.mv("/asked/file", "/asked/moved"))
                ok(fs.chmod("/asked/moved", AccessMode.UR | AccessMode.UW))
                ok(fs.rm("/asked/moved"))
                ok(fs.rmdir("/asked"))
                ok(fs.ping())
                """,
                UP.get().server(),
                sample.adler32());
    }

    @Test
    void xrdClSixReadsOverSeveralStreams() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 60_000_000, 10);
        Path copy = directory.resolve("copy");
        String script =
                """
                import sys
                from XRootD import client
                for source, target in ((sys.argv[1], sys.argv[2]), (sys.argv[2], sys.argv[3])):
                    process = client.CopyProcess()
                    process.add_job(source, target, force=True)
                    assert process.prepare().ok
                    status, results = process.run()
                    assert status.ok, results
                """;

        run(
                Client.python().with("XRD_SUBSTREAMSPERCHANNEL", "5"),
                script,
                "file://" + sample.file(),
                UP.get().root("/streams"),
                "file://" + copy);

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void fsspecReadsWritesListsAndFetchesRanges() throws IOException {
        python(
                """
                import sys, fsspec
                server, url = sys.argv[1:]
                fs, path = fsspec.core.url_to_fs(url)
                data = bytes(i * 7 % 251 for i in range(2000000))
                fs.mkdirs(path.rsplit("/", 1)[0], exist_ok=True)
                with fs.open(path, "wb") as file:
                    file.write(data)
                assert fs.info(path)["size"] == len(data)
                assert fs.cat_file(path, 1000, 5000) == data[1000:5000]
                starts = list(range(0, 1900000, 1777))
                ends = [start + 1 + start % 900 for start in starts]
                got = fs.cat_ranges([path] * len(starts), starts, ends)
                assert got == [data[s:e] for s, e in zip(starts, ends)]
                with fs.open(path, "rb") as file:
                    file.seek(-10, 2)
                    assert file.read() == data[-10:]
                assert [e["size"] for e in fs.ls(path.rsplit("/", 1)[0], detail=True)] == [len(data)]
                fs.rm(path)
                assert not fs.exists(path)
                """,
                UP.get().server(), UP.get().root("/fsspec/file"));
    }

    @Test
    void uprootReadsTheRootFileThatItWrote() throws IOException {
        Path root = directory.resolve("events.root");
        Path copy = directory.resolve("copy.root");
        python(
                """
                import sys, numpy, uproot
                with uproot.recreate(sys.argv[1]) as file:
                    # Baskets of a tree are read as a vector, pages of an RNTuple one by one.
                    tree = file.mktree("events", {"pt": "f8", "n": "i8"})
                    for part in numpy.split(numpy.arange(200000), 20):
                        tree.extend({"pt": part.astype("f8"), "n": part % 7})
                    file["ntuple"] = {"pt": numpy.arange(200000, dtype="f8")}
                """,
                root);
        Client xrdcp = Client.named("xrdcp");

        xrdcp.run("--cksum", "adler32", root, UP.get().root("/events.root")).succeeded();
        xrdcp.run("--cksum", "adler32", UP.get().root("/events.root"), copy).succeeded();

        assertThat(copy).hasSameBinaryContentAs(root);
        for (String source : List.of("fsspec.FSSpecSource", "xrootd.XRootDSource")) {
            double before = vectorReads();
            python(
                    """
                    import sys, numpy, uproot
                    module, name = sys.argv[2].split(".")
                    handler = getattr(getattr(uproot.source, module), name)
                    with uproot.open(sys.argv[1], handler=handler) as file:
                        tree = file["events"]
                        both = tree.arrays(["pt", "n"], library="np")
                        assert (both["pt"] == numpy.arange(200000)).all()
                        assert (both["n"] == numpy.arange(200000) % 7).all()
                        part = tree["n"].array(library="np", entry_start=100, entry_stop=200)
                        assert part.sum() == (numpy.arange(100, 200) % 7).sum()
                        pt = file["ntuple"].arrays(["pt"], library="np")["pt"]
                        assert (pt == numpy.arange(200000)).all()
                    """,
                    UP.get().root("/events.root"), source);
            assertThat(vectorReads()).as("readv by %s", source).isGreaterThan(before);
        }
    }

    private static double vectorReads() {
        return UP.get()
                .metric("cepheus_operation_seconds_count", "operation=\"readv\"", "result=\"ok\"");
    }

    private Run python(String script, Object... arguments) throws IOException {
        return run(Client.python(), script, arguments);
    }

    private Run run(Client python, String script, Object... arguments) throws IOException {
        Path file = directory.resolve("script.py");
        Files.writeString(file, script);
        Object[] all = new Object[arguments.length + 1];
        all[0] = file;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return python.run(all).succeeded();
    }
}
