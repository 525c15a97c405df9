"""How often our intervals for rates hold the true rate: 243 designs, by simulation.

Questions draw their own rate from a beta distribution around p with intra-class correlation `icc`; repeats of a
question are independent given its rate. Aims: at least 0.90 in every cell, at least 0.93 where n·min(p, 1 - p) >= 5,
0.94 to 0.98 on average. Run: `python benchmarks/intervals.py [rounds]` (2000 rounds take some minutes).
"""

import itertools
import sys

import numpy as np

from geo_assets.metrics.intervals import moments, rate_interval

QUESTIONS, REPEATS, ICC = (20, 60, 200), (1, 3, 10), (0.1, 0.3, 0.7)
P = (0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98)


def coverage(questions: int, repeats: int, p: float, icc: float, rounds: int, seed: int) -> float:
    """Share of `rounds` simulated days whose interval holds `p`."""
    source = np.random.default_rng(seed)
    rates = source.beta(p * (1 - icc) / icc, (1 - p) * (1 - icc) / icc, size=(rounds, questions))
    days = source.binomial(repeats, rates)
    days.sort(axis=1)  # the order of questions does not matter, and equal days then share one computation
    seen: dict[bytes, bool] = {}
    hits = 0
    for day in days:
        key = day.tobytes()
        if key not in seen:
            low, high, _ = rate_interval(moments((float(y), float(repeats)) for y in day))
            seen[key] = low is not None and high is not None and low <= p <= high
        hits += seen[key]
    return hits / rounds


def main(rounds: int = 2000) -> None:
    """Print the worst cells and whether the aims are met."""
    cells = []
    for seed, (q, m, p, icc) in enumerate(itertools.product(QUESTIONS, REPEATS, P, ICC)):
        cells.append((coverage(q, m, p, icc, rounds, seed), q, m, p, icc))
    cells.sort()
    strong = [c for c in cells if c[1] * min(c[3], 1 - c[3]) >= 5]
    mean = sum(c[0] for c in cells) / len(cells)
    print(f"cells {len(cells)}, rounds {rounds}")
    print(f"worst cell               {cells[0][0]:.3f}  (aim >= 0.90)  {cells[0][1:]}")
    print(f"worst with n·min(p,q)>=5 {strong[0][0]:.3f}  (aim >= 0.93)  {strong[0][1:]}")
    print(f"mean                     {mean:.3f}  (aim 0.94 to 0.98)")
    for c in cells[:8]:
        print(f"  {c[0]:.3f}  questions {c[1]}, repeats {c[2]}, p {c[3]}, icc {c[4]}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:2]))
