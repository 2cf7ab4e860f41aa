import { bodyOf } from '../../src/domain/envelope.ts'
import type { Checker } from './checker.ts'

/** Each event reached the endpoint of its tenant, under its own id and with its own body, and no other endpoint. */
export const eachEventIsDelivered: Checker = ({ cluster: { database, receivers }, numbers }) => {
  const urls = new Map([...database.rows.webhooks.values()].map(({ numberId, url }) => [numberId, url]))
  const told = database.rows.stored.filter(({ numberId }) => numbers.includes(numberId))
  return told.flatMap((event) => {
    const came = receivers.arrivals.filter(({ id }) => id === event.id)
    if (came.length === 0) return [`${event.event} ${event.id} reached nobody`]
    const wrong = came.filter(({ url, body }) => url !== urls.get(event.numberId) || body !== bodyOf(event))
    return wrong.map(({ url, body }) => `${event.event} ${event.id} came to ${url} as ${body}`)
  })
}

/** What a tenant is told was stored. */
export const nothingElseIsDelivered: Checker = ({ cluster: { database, receivers } }) => {
  const known = new Set<string>(database.rows.stored.map(({ id }) => id))
  return receivers.arrivals
    .filter(({ id }) => !known.has(id))
    .map(({ url, id }) => `${url} was told ${id}, which is no event`)
}

/** A rotation leaves the secret before it, so that a tenant knows one that signs until it has heard of the new one. */
export const whatIsToldIsSigned: Checker = ({ unverified }) =>
  unverified.map(({ url, id }) => `${url} could not verify ${id}`)
