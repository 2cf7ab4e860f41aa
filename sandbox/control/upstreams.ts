import { faultSchema, type Faults } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import { json, readBody, type Route } from './router.ts'

/** Routes about the simulated upstreams as a whole: faults, the ledger, the reset. */
export function upstreamRoutes(parts: { faults: Faults, ledger: Ledger, reset: () => void }): Route[] {
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
    { method: 'GET', path: '/control/requests', answer: ({ query }) => json(200, { requests: listRequests(ledger, query) }) },
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

function listRequests(ledger: Ledger, query: URLSearchParams) {
  const wanted = Object.fromEntries(['path', 'op', 'number'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  }))
  return ledger.list(wanted).map(({ atMs, ...entry }) => ({ time: new Date(atMs).toISOString(), ...entry }))
}
