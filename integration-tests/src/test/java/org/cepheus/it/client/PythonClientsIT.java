package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void uprootReadsTheRootFileThatItWrote() throws IOException {
        Path root = directory.resolve("events.root");
        Path copy = directory.resolve("copy.root");
        python(
                """
                import sys, numpy, uproot
                with uproot.recreate(sys.argv[1]) as file:
                    file["events"] = {"pt": numpy.arange(200000, dtype="f8"),
                                      "n": numpy.arange(200000) % 7}
                """,
                root);
        Client xrdcp = Client.named("xrdcp");

        xrdcp.run("--cksum", "adler32", root, UP.get().root("/events.root")).succeeded();
        xrdcp.run("--cksum", "adler32", UP.get().root("/events.root"), copy).succeeded();

        assertThat(copy).hasSameBinaryContentAs(root);
        python(
                """
                import sys, numpy, uproot
                with uproot.open(sys.argv[1]) as file:
                    tree = file["events"]
                    assert (tree["pt"].array(library="np") == numpy.arange(200000)).all()
                    assert tree["n"].array(library="np", entry_start=100, entry_stop=200).sum() == \\
                        (numpy.arange(100, 200) % 7).sum()
                """,
                UP.get().root("/events.root"));
    }

    private Run python(String script, Object... arguments) throws IOException {
        Path file = directory.resolve("script.py");
        Files.writeString(file, script);
        Object[] all = new Object[arguments.length + 1];
        all[0] = file;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Client.python().run(all).succeeded();
    }
}
