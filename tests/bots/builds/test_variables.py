"""What a build gets of the operator's environment."""

from __future__ import annotations

from pathlib import Path

from arena.bots.builds.variables import (
    CERTIFICATES,
    CHOOSING,
    OF_BUILDS,
    REGISTRIES,
    below_home,
    certificates,
    variables,
)
from arena.bots.confine.needs import TOOL_HOMES


def test_a_build_gets_what_is_in_the_tables_and_nothing_else(tmp_path: Path) -> None:
    environ = dict.fromkeys(OF_BUILDS, "x") | {
        "HTTPS_PROXY": "http://10.0.0.1:3128",
        "NODE_AUTH_TOKEN": "secret",
        "CARGO_HOME": "/home/ada/.cargo",
        "GOFLAGS": "-mod=vendor",
    }
    found = variables(environ, tmp_path)
    assert found.keys() == {*OF_BUILDS, "GOFLAGS"}
    assert found["GOFLAGS"] == "-trimpath -buildvcs=false"


def test_a_registry_with_a_password_is_left_out(tmp_path: Path) -> None:
    for name in REGISTRIES:
        assert name not in variables({name: "https://ada:secret@packages.example"}, tmp_path)
        assert name in variables({name: "https://packages.example"}, tmp_path)


def test_toolchains_in_the_operators_home_are_found(tmp_path: Path) -> None:
    for name, below in TOOL_HOMES.items():
        assert name not in variables({}, tmp_path)
        (tmp_path / below).mkdir()
        assert variables({}, tmp_path)[name] == str(tmp_path / below)
        assert variables({name: "/opt/x"}, tmp_path)[name] == "/opt/x"


def test_every_variable_has_its_reason() -> None:
    assert all(CERTIFICATES.values())
    assert all(REGISTRIES.values())
    assert set(CHOOSING) & {*CERTIFICATES, *REGISTRIES} == set()


def test_certificates_are_read_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    env = {
        "SSL_CERT_FILE": str(tmp_path / "ca.pem"),
        "PIP_CERT": str(tmp_path / "gone.pem"),
        "CURL_CA_BUNDLE": "relative.pem",
        "HOME": str(tmp_path),
    }
    assert list(certificates(env)) == [tmp_path / "ca.pem"]


def test_programs_that_ask_the_list_of_users_are_told_the_scratch_folder() -> None:
    assert below_home(Path("/tmp/x")) == {
        "MAVEN_OPTS": "-Duser.home=/tmp/x",
        "GRADLE_USER_HOME": "/tmp/x/.gradle",
    }
