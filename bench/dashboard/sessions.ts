import type { StreamKind } from '../pages/streams.ts'

/** Sessions of the dashboard, each with one stream, which tells all events of the account. */
export const dashboardStreams: StreamKind = {
  path: '/api/stream',
  event: 'event',
  readersOf: ({ streams }) => streams,
  async headersOf({ gateway, tenantKey }, _numbers, streams) {
    const all: Record<string, string>[] = []
    while (all.length < streams) {
      const answer = await fetch(`http://127.0.0.1:${gateway.port}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ tenantKey }),
      })
      if (!answer.ok) throw new Error(`signing in was answered ${answer.status}`)
      const [cookie = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? []
      all.push({ cookie, 'sec-fetch-site': 'same-origin' })
    }
    return all
  },
}
