import test from 'ava'
import type { Answer } from '../../web/connect/answers.ts'
import { follow } from '../../web/connect/follow.ts'
import { opened, stateName } from '../../web/connect/state.ts'
import type { Need, PageState } from '../../web/connect/page-state.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

const LINK = {
  name: 'Front desk',
  number: '*********7777',
  numberId: 'num_1',
  redirectUrl: 'https://acme.example/done?a=1',
}
const CODE = { qr: 'data:image/png;base64,AA==', text: 'ABCD-EFGH', expiresInMs: 60_000 }
const SHOWN: Answer = { kind: 'status', state: 'CONNECTING', reason: null, code: CODE, numberId: 'num_1' }
const OPEN: Answer = { ...SHOWN, state: 'OPEN', code: { qr: null, text: null, expiresInMs: null } }

/** A page over a service that answers from a table, which the test may change. */
function openPage(about: Partial<Parameters<typeof opened>[0]> = {}) {
  const clock = new FakeClock()
  const asked: Need[] = []
  const left: string[] = []
  const answers: Record<Need, Answer | Promise<Answer>> = {
    view: { kind: 'view', link: LINK, state: 'CLOSE' },
    connect: { kind: 'code', code: CODE },
    code: { kind: 'code', code: CODE },
    status: SHOWN,
  }
  let shown: PageState | null = null
  const ask = (need: Need) => async () => {
    asked.push(need)
    return answers[need]
  }
  const following = follow(
    {
      clock,
      api: { view: ask('view'), connect: ask('connect'), code: ask('code'), status: ask('status') },
      show: (state) => {
        shown = state
      },
      leave: (url) => left.push(url),
    },
    opened({ at: clock.monotonicMs(), method: 'qr', isVisible: true, isOnline: true, isFramed: false, ...about }),
  )
  return { clock, asked, left, answers, following, state: () => shown && stateName(shown) }
}

/** Lets answers that are ready arrive. */
async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms)
  await settled()
}

// [pages.polling.1] [pages.redirect.1]
test('a page asks for its link, for a code, then for the status every 2 s, and is taken on 3 s after success', async (t) => {
  const { clock, asked, left, answers, following, state } = openPage()
  following.tell({ type: 'looked', look: 'page' })
  await settled()
  t.deepEqual([asked, state()], [['view', 'connect'], 'qr'])
  await pass(clock, 1_999)
  t.is(asked.length, 2)
  await pass(clock, 1)
  t.deepEqual(asked, ['view', 'connect', 'status'])
  answers.status = OPEN
  await pass(clock, 2_000)
  t.deepEqual([state(), left], ['connected', []])
  await pass(clock, 3_000)
  t.deepEqual(left, ['https://acme.example/done?a=1&status=connected&numberId=num_1'])
  await pass(clock, 60_000)
  t.deepEqual([asked.length, left.length], [4, 1])
})

// [pages.redirect.1]
test('a person who chooses to stay is not redirected', async (t) => {
  const { clock, left, answers, following } = openPage()
  answers.status = OPEN
  following.tell({ type: 'looked', look: 'page' })
  await settled()
  await pass(clock, 2_000)
  following.tell({ type: 'stayed' })
  await pass(clock, 60_000)
  t.deepEqual(left, [])
})

test('only one request runs at a time, however often the page becomes visible', async (t) => {
  const { clock, asked, answers, following, state } = openPage()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  answers.connect = promise
  following.tell({ type: 'looked', look: 'page' })
  await settled()
  for (let i = 0; i < 3; i++) {
    following.tell({ type: 'hidden' })
    following.tell({ type: 'visible' })
  }
  await pass(clock, 10_000)
  t.deepEqual([asked, state()], [['view', 'connect'], 'failed'])
  resolve({ kind: 'code', code: CODE })
  await settled()
  t.is(state(), 'qr')
})

// [pages.polling.1]
test('a hidden page is not polled for', async (t) => {
  const { clock, asked, following } = openPage()
  following.tell({ type: 'looked', look: 'page' })
  await settled()
  following.tell({ type: 'hidden' })
  await pass(clock, 600_000)
  t.deepEqual(asked, ['view', 'connect'])
  following.tell({ type: 'visible' })
  await settled()
  t.deepEqual(asked, ['view', 'connect', 'status'])
})

test('a page that is stopped asks and shows nothing more', async (t) => {
  const { clock, asked, following, state } = openPage()
  following.tell({ type: 'looked', look: 'page' })
  following.stop()
  await settled()
  await pass(clock, 60_000)
  t.deepEqual([asked, state()], [['view'], 'loading'])
})
