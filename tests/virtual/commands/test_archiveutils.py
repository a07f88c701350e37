"""``tar``, ``gzip``, ``split``, ``file`` and others: forms and messages of toybox 0.8."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from tests.virtual.shell.harness import HOME, on_phone

MAKE = "mkdir -p d; echo one > d/a; echo two > d/b; "


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        (f"{MAKE}tar -cf t.tar d; tar tf t.tar", "d/\nd/a\nd/b\n", "", 0),
        (f"{MAKE}tar czf t.tgz d; rm -r d; tar xzf t.tgz; cat d/a d/b", "one\ntwo\n", "", 0),
        (f"{MAKE}tar -cf t.tar d; mkdir e; tar -xf t.tar -C e d/b; ls -R e", "e:\nd\n\ne/d:\nb\n", "", 0),
        (f"{MAKE}tar -c d | tar -xO d/a", "one\n", "", 0),
        ("tar -cf t.tar nope", "", "tar: nope: No such file or directory\n", 1),
        ("tar -tf nope", "", "tar: nope: No such file or directory\n", 1),
        (f"{MAKE}tar -cf t.tar d; tar -tf t.tar x", "", "tar: 'x' not in archive\n", 1),
        ("echo no > x; tar -tf x", "", "tar: bad header\n", 1),
        ("tar -f x", "", "tar: Needs -txc\n", 1),
        ("echo hi > a; gzip a; ls; gunzip a.gz; cat a", "a.gz\nhi\n", "", 0),
        ("echo hi | gzip | zcat", "hi\n", "", 0),
        ("echo hi > a; gzip -k a; ls", "a\na.gz\n", "", 0),
        ("echo hi > a.gz; gunzip a.gz", "", "gunzip: a.gz: not gzip\n", 1),
        ("seq 5 > n; split -l 2 n p; ls; cat pac", "n\npaa\npab\npac\n5\n", "", 0),
        ("echo abcdef | split -b 4 - q; cat qab", "ef\n", "", 0),
        ("echo hi > a; ln -sv a b", "'b' -> 'a'\n", "", 0),
        ("echo hi > a; ln -v a b", "'b' => 'a'\n", "", 0),
        ("echo hi > a; ln -s a b; file a b . /system/bin/ls", None, "", 0),
        ("echo hi > a; file -b a", "ASCII text\n", "", 0),
        ("setsid echo one", "one\n", "", 0),
        ("tty", "not a tty\n", "", 1),
        ("echo hi > a; unlink a; ls", "", "", 0),
        ("unlink a", "", "unlink: Couldn't unlink 'a': No such file or directory\n", 1),
        ("echo hi > a; ls -Z", "u:object_r:shell_data_file:s0 a\n", "", 0),
        ("stat -f -c '%T %s' .", "f2fs 4096\n", "", 0),
        (
            "free --help",
            "Toybox 0.8.9-android multicall binary (see https://landley.net/toybox)\n\n"
            "usage: free [-bkmgh]\n",
            "",
            0,
        ),
    ],
)
def test_lines(line: str, out: str | None, err: str, status: int) -> None:
    done = on_phone(line)
    kinds = "a:              ASCII text\nb:              symbolic link to a\n"
    kinds += ".:              directory\n/system/bin/ls: ELF shared object\n"
    assert done == (kinds if out is None else out, err, status)


def test_a_hosts_tools_read_the_archives_and_the_other_way_around() -> None:
    phone = Phone(Profile.parse("android-34"), apps=())
    on_phone(f"{MAKE}tar czf t.tgz d", phone=phone)
    with tarfile.open(fileobj=io.BytesIO(phone.files.read(f"{HOME}/t.tgz"))) as archive:
        member = archive.extractfile("d/a")
        assert member is not None
        assert member.read() == b"one\n"
    phone.files.write(f"{HOME}/x.gz", gzip.compress(b"host"))
    assert on_phone("zcat x.gz", phone=phone)[0] == "host"


def test_members_outside_of_the_directory_are_not_extracted() -> None:
    phone, out = Phone(Profile.parse("android-34"), apps=()), io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../out"), io.BytesIO())
    phone.files.write(f"{HOME}/t.tar", out.getvalue())
    assert on_phone("mkdir in; tar xf t.tar -C in; ls in", phone=phone)[1] == (
        "tar: '../out' not under '/data/local/tmp/in'\n"
    )
    assert phone.files.stat(f"{HOME}/out") is None
