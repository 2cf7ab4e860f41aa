import { faultSchema, type Faults } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

/** Routes about the simulated upstreams as a whole: faults, the ledger, the reset. */
export function upstreamRoutes(parts: { faults: Faults; ledger: Ledger; reset: () => void }): Route[] {
  const { faults, ledger, reset } = parts
  return [
    {
      method: 'POST',
      path: '/control/faults',
      answer: ({ body }) => {
        const fault = readBody(faultSchema, body)
        faults.add(fault)
        return json(201, fault)
      },
    },
    { method: 'GET', path: '/control/faults', answer: () => json(200, { faults: faults.list() }) },
    {
      method: 'DELETE',
      path: '/control/faults',
      answer: () => {
        faults.clear()
        return json(200, { faults: [] })
      },
    },
    { method: 'GET', path: '/control/requests', answer: ({ query }) => json(200, listRequests(ledger, query)) },
    {
      method: 'POST',
      path: '/control/reset',
      answer: () => {
        reset()
        return json(200, { reset: true })
      },
    },
  ]
}

/** Lists requests. `total` counts all that match and are remembered; `limit` shows only the latest of them. */
function listRequests(ledger: Ledger, query: URLSearchParams) {
  const wanted = Object.fromEntries(
    ['path', 'op', 'number'].flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const limit = Number(query.get('limit') ?? Infinity)
  if (Number.isNaN(limit) || limit < 0) throw new ControlRefusal(400, 'VALIDATION', 'limit is a number of requests')
  const found = ledger.list(wanted)
  const shown = limit === 0 ? [] : found.slice(-limit)
  return {
    total: found.length,
    requests: shown.map(({ atMs, ...entry }) => ({ time: new Date(atMs).toISOString(), ...entry })),
  }
}
