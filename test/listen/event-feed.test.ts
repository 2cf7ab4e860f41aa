import test, { type ExecutionContext } from 'ava'
import { startFileHost } from '../helpers/file-host.ts'
import { EventFeed, FeedRefusal, type EventFeedOptions, type ShownEvent } from '../../tools/listen/event-feed.ts'

function eventOf(n: number): ShownEvent {
  return {
    id: `evt_${String(n).padStart(26, '0')}`,
    event: 'call.ended',
    channelNumberId: 'num_1',
    timestamp: '2026-01-02T03:04:05.000Z',
    data: { n },
  }
}

/** A service with the events 1 to `count`. It first answers with the `refusals`, in order; 0 cuts the connection. */
async function service(t: ExecutionContext, count: number, refusals: readonly number[] = []) {
  const left = [...refusals]
  const world = { count, origin: '', asked: [] as URLSearchParams[] }
  const host = await startFileHost(t, (request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams
    world.asked.push(query)
    const status = left.shift()
    if (status === 0) return void request.socket.destroy()
    if (status !== undefined) return void response.writeHead(status, { 'retry-after': '7' }).end('{"error":"not now"}')
    const after = Number(query.get('after')?.slice(4) ?? 0)
    const events = Array.from({ length: world.count }, (_, index) => eventOf(index + 1)).filter(
      (_, index) => index + 1 > after,
    )
    response.end(JSON.stringify({ events: events.slice(0, Number(query.get('limit'))) }))
  })
  world.origin = host.origin
  return world
}

/** A feed whose pauses take no time and are recorded. */
function feedOf(url: string, options: Partial<EventFeedOptions> = {}) {
  const stop = new AbortController()
  const pauses: number[] = []
  const notices: string[] = []
  const feed = new EventFeed({
    url,
    key: 'cms_x',
    event: null,
    from: 'oldest',
    signal: stop.signal,
    notice: (text) => notices.push(text),
    pause: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
    ...options,
  })
  return { feed, stop, pauses, notices }
}

async function take(feed: EventFeed, count: number): Promise<number[]> {
  const seen: number[] = []
  for await (const event of feed.events()) {
    seen.push(Number(event.data['n']))
    if (seen.length === count) break
  }
  return seen
}

test('every event is given once and in order over several pages', async (t) => {
  const { origin } = await service(t, 2_500)
  const { feed } = feedOf(origin)
  t.deepEqual(
    await take(feed, 2_500),
    Array.from({ length: 2_500 }, (_, index) => index + 1),
  )
})

test('from the next event on: what is stored already is passed over, what comes then is shown', async (t) => {
  const world = await service(t, 1_200)
  const { feed } = feedOf(world.origin, {
    from: 'next',
    pause: () => {
      world.count = 1_202
      return Promise.resolve()
    },
  })
  t.deepEqual(await take(feed, 2), [1_201, 1_202])
  t.is(feed.lastId, eventOf(1_201).id, 'the last one was not worked on to its end')
})

test('after an event and by name: both are asked of the service', async (t) => {
  const world = await service(t, 5)
  const { feed } = feedOf(world.origin, { from: { after: eventOf(3).id }, event: 'call.ended' })
  t.deepEqual(await take(feed, 2), [4, 5])
  t.is(world.asked[0]?.get('event'), 'call.ended')
})

test('a service that is away is asked again with growing pauses, told of once, and no event is missed', async (t) => {
  const { origin } = await service(t, 2, [0, 503, 500, 0, 502, 0, 0])
  const { feed, pauses, notices } = feedOf(origin)
  t.deepEqual(await take(feed, 2), [1, 2])
  t.deepEqual(pauses, [500, 7_000, 7_000, 4_000, 8_000, 10_000, 10_000], 'retry-after is honoured when it is longer')
  t.is(notices.length, 2)
})

for (const [status, says] of [
  [401, /key is not valid/],
  [404, /--all/],
  [400, /not now/],
] as const) {
  test(`an answer ${status} ends with what to do`, async (t) => {
    const { origin } = await service(t, 1, [status])
    const error = await t.throwsAsync(take(feedOf(origin).feed, 1), { instanceOf: FeedRefusal })
    t.regex(error.message, says)
  })
}

test('a wrong address that answers something else is named as such', async (t) => {
  const host = await startFileHost(t, (_request, response) => void response.end('<html>'))
  await t.throwsAsync(take(feedOf(host.origin).feed, 1), { instanceOf: FeedRefusal, message: /right address/ })
})

test('a stop ends the feed without a request of its own', async (t) => {
  const { origin } = await service(t, 0)
  const { feed, stop } = feedOf(origin, {
    pause: () => {
      stop.abort()
      return Promise.resolve()
    },
  })
  t.deepEqual(await take(feed, 1), [])
})
