import test from 'ava'
import { SharedWork } from '../../src/domain/shared-work.ts'

/** Shared work that records each run. The test ends a run. */
function workshop() {
  const runs: (PromiseWithResolvers<string> & { readonly signal: AbortSignal })[] = []
  const work = new SharedWork<string>()
  const start = (signal: AbortSignal): Promise<string> => {
    const run = { ...Promise.withResolvers<string>(), signal }
    runs.push(run)
    return run.promise
  }
  return {
    runs,
    work,
    ask: (key = 'a') => work.join(key, start),
    askUntil: (signal: AbortSignal, key = 'a') => work.joinUntil(signal, key, start),
  }
}

test('work begins at once, and everybody who asks while it runs gets its result', async (t) => {
  const { runs, work, ask } = workshop()
  const first = ask()
  t.is(runs.length, 1)
  t.true(work.has('a'))
  const late = ask()
  t.is(runs.length, 1)
  runs[0]?.resolve('done')
  t.deepEqual(await Promise.all([first, late]), ['done', 'done'])
  t.false(work.has('a'))
})

test('work of different keys is independent', async (t) => {
  const { runs, ask } = workshop()
  const both = [ask('a'), ask('b')]
  for (const [at, run] of runs.entries()) run.resolve(`run ${at}`)
  t.deepEqual(await Promise.all(both), ['run 0', 'run 1'])
})

test('a failure is shared by those who wait, and kept for nobody who asks after it', async (t) => {
  const { runs, ask } = workshop()
  const both = [ask(), ask()]
  runs[0]?.reject(new Error('no luck'))
  for (const asked of both) await t.throwsAsync(asked, { message: 'no luck' })
  const again = ask()
  runs[1]?.resolve('luck')
  t.is(await again, 'luck')
})

test('work that throws synchronously fails like any other', async (t) => {
  const work = new SharedWork<string>()
  const thrown = work.join('a', () => {
    throw new Error('at once')
  })
  await t.throwsAsync(thrown, { message: 'at once' })
  t.is(await work.join('a', () => Promise.resolve('next')), 'next')
})

test('asking right after the end of the work begins it again', async (t) => {
  for (const end of ['resolve', 'reject'] as const) {
    const { runs, ask, askUntil } = workshop()
    const { signal } = new AbortController()
    const again = [ask(), askUntil(signal)].map((asked) =>
      asked.then(
        () => ask(),
        () => ask(),
      ),
    )
    runs[0]?.[end]('first')
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    t.is(runs.length, 2, end)
    runs[1]?.resolve('second')
    t.deepEqual(await Promise.all(again), ['second', 'second'], end)
  }
})

test('a caller that leaves gets nothing, and the work goes on for the others', async (t) => {
  const { runs, askUntil } = workshop()
  const [leaving, staying] = [new AbortController(), new AbortController()]
  const [left, stayed] = [askUntil(leaving.signal), askUntil(staying.signal)]
  leaving.abort()
  t.is(await left, null)
  t.false(runs[0]?.signal.aborted)
  runs[0]?.resolve('done')
  t.is(await stayed, 'done')
})

test('as the last one leaves, work is told to stop, and nobody joins what is being stopped', async (t) => {
  const { runs, work, askUntil } = workshop()
  const leaving = [new AbortController(), new AbortController()]
  const left = leaving.map(({ signal }) => askUntil(signal))
  for (const one of leaving) one.abort()
  t.deepEqual(await Promise.all(left), [null, null])
  t.true(runs[0]?.signal.aborted)
  t.false(work.has('a'))
  const next = askUntil(new AbortController().signal)
  t.is(runs.length, 2)
  // The stopped run ends late. That must not end the run that came after it.
  runs[0]?.reject(new Error('stopped'))
  await Promise.allSettled([runs[0]?.promise])
  t.true(work.has('a'))
  runs[1]?.resolve('next')
  t.is(await next, 'next')
})

test('a caller without an abort signal waits until the end', async (t) => {
  const { runs, ask, askUntil } = workshop()
  const leaving = new AbortController()
  const [left, stayed] = [askUntil(leaving.signal), ask()]
  leaving.abort()
  t.is(await left, null)
  t.false(runs[0]?.signal.aborted)
  runs[0]?.resolve('done')
  t.is(await stayed, 'done')
})

test('no work begins for a caller that has already left', async (t) => {
  const { runs, askUntil } = workshop()
  t.is(await askUntil(AbortSignal.abort()), null)
  t.is(runs.length, 0)
})

test('waiting for all work resolves once each has ended, also by failing', async (t) => {
  const { runs, work, ask } = workshop()
  const both = [ask('a'), ask('b')]
  let hasEnded = false
  const ended = work.ended().then(() => (hasEnded = true))
  runs[0]?.reject(new Error('failed'))
  await t.throwsAsync(both[0] ?? t.fail())
  t.false(hasEnded)
  runs[1]?.resolve('done')
  await ended
  t.is(await both[1], 'done')
  await new SharedWork().ended()
})
