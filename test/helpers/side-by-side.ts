import type { ExecutionContext, TestFn } from 'ava'

type Acts<Point extends string> = Readonly<Record<Point, () => Promise<unknown>>>
/** Waits until every test has reached the point and its act is done. */
export type Reach<Point extends string> = (point: Point) => Promise<void>

/**
 * Tests of one file that run at once and pass some points together, in the order of `acts`: when all have reached a
 * point, its act runs once for all of them, so that a dozen stories share one kill. A test that failed or ended is not
 * waited for.
 */
export function sideBySide<Point extends string>(
  test: TestFn,
  acts: Acts<Point>,
): (title: string, tell: (t: ExecutionContext, reach: Reach<Point>) => Promise<void>) => void {
  const points = Object.keys(acts) as Point[]
  const passed = new Map(points.map((point) => [point, Promise.withResolvers<void>()]))
  const waiting = new Map<Point, number>(points.map((point) => [point, 0]))
  let present = 0
  let next = 0

  function goOn(): void {
    const point = points[next]
    if (point === undefined || present === 0 || waiting.get(point) !== present) return
    next += 1
    acts[point]().then(
      () => passed.get(point)?.resolve(),
      (error: unknown) => passed.get(point)?.reject(error),
    )
  }

  async function reach(point: Point): Promise<void> {
    waiting.set(point, (waiting.get(point) ?? 0) + 1)
    goOn()
    await passed.get(point)?.promise
    waiting.set(point, (waiting.get(point) ?? 0) - 1)
  }

  return (title, tell) => {
    test(title, async (t) => {
      present += 1
      try {
        await tell(t, reach)
      } finally {
        present -= 1
        goOn()
      }
    })
  }
}
