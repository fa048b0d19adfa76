"""What of the machine every bot may read."""

from __future__ import annotations

from pathlib import Path

from arena.bots.confine.system import ancestors, build_files, find_system, is_within


def machine(root: Path) -> Path:
    for folder in ("usr/bin", "etc/ssl", "etc/java-17-openjdk", "home/ada", "var/lib", "lib64"):
        (root / folder).mkdir(parents=True)
    (root / "bin").symlink_to("usr/bin")
    (root / "etc/passwd").touch()
    (root / "etc/shadow").touch()
    (root / "etc/alternatives").symlink_to("nowhere")
    return root


def test_programs_and_libraries_may_be_read_and_links_to_them_are_kept(tmp_path: Path) -> None:
    system = find_system(machine(tmp_path))
    assert system.links == ((Path("/bin"), "usr/bin"),)
    assert Path("/usr") in system.folders
    assert Path("/lib64") in system.folders


def test_of_etc_only_what_loaders_and_runtimes_read(tmp_path: Path) -> None:
    system = find_system(machine(tmp_path))
    assert [str(path) for path in system.folders if path.is_relative_to("/etc")] == [
        "/etc/java-17-openjdk",
        "/etc/ssl",
    ]


def test_no_home_folder_and_no_data_of_services_is_among_it() -> None:
    system = find_system()
    for hidden in ("/home", "/root", "/var", "/run", "/tmp", "/sys", "/proc", "/etc/passwd"):
        assert not any(
            Path(hidden).is_relative_to(folder) or folder.is_relative_to(hidden)
            for folder in system.folders
        )


def test_ancestors_come_before_what_lies_in_them() -> None:
    paths = [Path("/a/b/c"), Path("/a/d")]
    assert ancestors(paths) == [Path("/a"), Path("/a/b")]


def test_the_whole_of_what_is_looked_for(tmp_path: Path) -> None:
    tops = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "nix/store", "gnu/store"]
    names = ["alternatives", "ca-certificates", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"]
    names += ["localtime", "nsswitch.conf", "pki", "ssl", "timezone", "java-17", "dotnet", "mono2"]
    others = ["passwd", "hosts", "maven", "java"]
    for name in (*tops, *(f"etc/{name}" for name in (*names, *others))):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "etc/java-21").symlink_to("nowhere")
    system = find_system(tmp_path)
    expected = [*(f"/{top}" for top in tops), *(f"/etc/{name}" for name in sorted(names))]
    assert [*map(str, system.folders)] == expected
    assert system.links == ()
    devices = ("null", "zero", "full", "random", "urandom")
    assert system.devices == tuple(Path(f"/dev/{name}") for name in devices)


def test_a_build_reads_settings_of_maven_that_everybody_may_read(tmp_path: Path) -> None:
    names = ("m2.conf", "logging", "settings.xml", "toolchains.xml")
    assert build_files(tmp_path) == ()
    for name, mode in zip(names, (0o644, 0o755, 0o640, 0o604), strict=True):
        file = tmp_path / "etc/maven" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        file.chmod(mode)
    read = ("m2.conf", "logging", "toolchains.xml")
    assert build_files(tmp_path) == tuple(tmp_path / "etc/maven" / name for name in read)


def test_a_path_is_within_itself_and_what_it_lies_below() -> None:
    folders = [Path("/a/b"), Path("/c")]
    inside = ("/a/b", "/a/b/x", "/c/d")
    for path in (*inside, "/a", "/a/bc", "/"):
        assert is_within(Path(path), folders) == (path in inside)
