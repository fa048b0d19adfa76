"""Confined builds on the rungs of this machine: what they may write and reach, and what is told."""

from __future__ import annotations

import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import Bot
from arena.bots.build import NO_NETWORK, BuildFailed, build
from arena.bots.builds.builder import give
from arena.bots.builds.variables import variables
from arena.bots.confine.confinement import Rung, free_uids
from arena.bots.confine.confiner import Confiner
from arena.bots.processes import Warden
from arena.bots.program import inherited_env
from tests.bots.confine.rungs import CONFINED, confined

both = pytest.mark.parametrize("rung", CONFINED)


async def built(
    warden: Warden, confiner: Confiner, code: str, *, network: bool = True, **env: str
) -> Path:
    """Run Python code as a build, and return the folder that it ran in."""
    confiner = Confiner(replace(confiner.means, build_network=network), confiner._place)
    folder = confiner._place / "bot"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    bot = Bot("fox", ("./fox",), folder, build=("{python}", "-I", "-c", code))
    uid = free_uids() if confiner.means.uids else None
    if uid is not None:
        give(folder, uid)
    own = {**inherited_env(), **variables(env, Path("/nowhere")), **env}
    await build(warden, confiner, bot, folder, own, uid=uid)
    return folder


@both
async def test_a_build_writes_to_its_folder_and_its_scratch_and_nowhere_else(
    rung: Rung, tmp_path: Path
) -> None:
    tmp_path.chmod(0o777)
    code = f"""
import os
open("made", "w").write("made")
os.chmod("made", 0o755)
open(os.environ["HOME"] + "/cache", "w").close()
try:
    open({str(tmp_path / "mine")!r}, "w")
except OSError as error:
    open("told", "w").write(type(error).__name__)
"""
    async with confined(rung) as (warden, confiner):
        folder = await built(warden, confiner, code)
        assert (folder / "made").read_text() == "made"
        assert (folder / "made").stat().st_mode & 0o777 == 0o755
        assert (folder / "told").read_text() in ("FileNotFoundError", "PermissionError")
    assert not list(tmp_path.iterdir())


@both
async def test_nothing_is_left_from_one_build_for_the_next(rung: Rung) -> None:
    """Or the first could leave a changed package in a cache that the second reads."""
    code = """
import os
open("found", "w").write(str("left" in os.listdir(os.environ["HOME"])))
open(os.environ["HOME"] + "/left", "w").close()
"""
    async with confined(rung) as (warden, confiner):
        for _ in range(2):
            folder = await built(warden, confiner, code)
            assert (folder / "found").read_text() == "False"


@both
async def test_programs_that_ask_the_list_of_users_for_their_home_are_told_the_scratch(
    rung: Rung,
) -> None:
    code = """
import os
home = os.environ["HOME"]
assert os.environ["MAVEN_OPTS"] == f"-Duser.home={home}"
assert os.access(home, os.W_OK)
"""
    async with confined(rung) as (warden, confiner):
        await built(warden, confiner, code)


@both
async def test_a_failed_build_shows_its_output_and_the_addresses_it_was_refused(
    rung: Rung,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as private:
        port = private.getsockname()[1]
        code = f"""
import socket, sys
print("fetching")
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try:
        socket.socket(socket.AF_INET, kind).connect(("127.0.0.1", {port}))
    except OSError as error:
        print(error.strerror, file=sys.stderr)
sys.exit(3)
"""
        async with confined(rung) as (warden, confiner):
            with pytest.raises(BuildFailed) as caught:
                await built(warden, confiner, code)
    said = str(caught.value).splitlines()
    assert said[0] == (
        f"the build of 'fox' failed: exit code 3; it tried to connect to 127.0.0.1:{port}"
    )
    assert said[-5:] == [
        "--- stdout ---",
        "fetching",
        "--- stderr ---",
        "Permission denied",
        "Permission denied",
    ]
    assert NO_NETWORK not in str(caught.value)


@both
async def test_a_build_without_a_network_names_the_key_that_takes_it(rung: Rung) -> None:
    """192.0.2.1 belongs to nobody, and counts as public."""
    code = "import socket; socket.socket().connect(('192.0.2.1', 9))"
    async with confined(rung) as (warden, confiner):
        with pytest.raises(BuildFailed) as caught:
            await built(warden, confiner, code, network=False)
    assert "it tried to connect to 192.0.2.1:9" in str(caught.value)
    assert NO_NETWORK in str(caught.value).splitlines()


@both
async def test_a_name_server_is_asked_only_by_a_build_with_a_network(rung: Rung) -> None:
    """Without one, what asks for a name is told no address to ask."""
    code = "import socket; socket.getaddrinfo('packages.invalid', 80)"
    async with confined(rung) as (warden, confiner):
        with pytest.raises(BuildFailed) as caught:
            await built(warden, confiner, code, network=False)
        assert NO_NETWORK in str(caught.value)


@both
async def test_a_build_reads_the_certificates_that_the_operator_names(
    rung: Rung, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "ca.pem").write_text("certificates")
    (tmp_path / "key.pem").write_text("secret")
    code = """
import os
path = os.environ["SSL_CERT_FILE"]
assert open(path).read() == "certificates"
try:
    open(path.replace("ca", "key"))
except OSError:
    open("made", "w").close()
"""
    async with confined(rung) as (warden, confiner):
        folder = await built(warden, confiner, code, SSL_CERT_FILE=str(tmp_path / "ca.pem"))
        assert (folder / "made").exists()


@both
async def test_a_build_installs_no_filter_that_would_free_it(rung: Rung) -> None:
    """It connects to no private address through a process of its own either."""
    code = """
import os, socket, subprocess, sys
probe = "import socket; socket.socket().connect(('127.0.0.1', 1))"
sys.exit(subprocess.run([sys.executable, "-I", "-c", probe], stderr=subprocess.DEVNULL).returncode)
"""
    async with confined(rung) as (warden, confiner):
        with pytest.raises(BuildFailed, match=r"it tried to connect to 127\.0\.0\.1:1\n"):
            await built(warden, confiner, code)
