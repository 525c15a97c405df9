"""What tests of several rooms share: an S3 server of their own."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def s3_options() -> Iterator[dict[str, Any]]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    options = {
        "key": "test",
        "secret": "test",
        "endpoint_url": f"http://{host}:{port}",
        "skip_instance_cache": True,
    }
    import s3fs

    s3fs.S3FileSystem(**options).mkdir("evidence-bucket")
    yield options
    server.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first: workers take whole files, and a long one at the end keeps the other waiting."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
