"""CPU per 1,000 samples: the whole collector against a bare asyncio + httpx loop that writes each answer to a file."""

import asyncio
import sys
import time

import httpx
from engine_common import bench, plan, platform

from geo_assets.collection import collect_partition
from geo_assets.model.answers import Ask
from geo_assets.platforms.registry import connector
from geo_assets.simulator.settings import SIMULATED_KEY, Latency, simulated_base_url


async def bare(base_url: str, folder, count: int, concurrency: int) -> None:
    folder.mkdir()
    dialect = connector("openai-chat")
    gate = asyncio.Semaphore(concurrency)
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:

        async def one(number: int) -> None:
            ask = Ask(
                "bench",
                base_url,
                "m1",
                f"哪个品牌的洗衣机最值得买? 第 {number} 问",
                "zh",
                False,
                str(number),
                str(number),
            )
            request = dialect.submit(ask)
            headers = {k: v.replace("{key}", SIMULATED_KEY) for k, v in request.headers.items()}
            async with gate:
                response = await client.post(request.url, headers=headers, content=request.body)
            (folder / f"{number}.json").write_bytes(response.content)

        await asyncio.gather(*(one(number) for number in range(count)))


def main(count: int = 1000) -> None:
    of = platform(concurrency=50)
    with bench([of], latency=Latency(median=0.2)) as b:
        with b.ledger() as ledger:
            plan(ledger, of, count)
            wall, cpu = time.perf_counter(), time.process_time()
            report = collect_partition(b.request(of), ledger, b.evidence(), connector(of.dialect))
            engine = time.process_time() - cpu, time.perf_counter() - wall
            assert report.open == 0, report
        wall, cpu = time.perf_counter(), time.process_time()
        asyncio.run(bare(simulated_base_url(b.url, of), b.folder / "bare", count, 50))
        loop = time.process_time() - cpu, time.perf_counter() - wall
    print(f"{'':14}{'CPU s / 1,000':>16}{'wall s':>10}")
    for name, (used, took) in (("collector", engine), ("bare loop", loop)):
        print(f"{name:14}{used / count * 1000:>16.2f}{took:>10.2f}")
    print(f"ratio {engine[0] / loop[0]:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
