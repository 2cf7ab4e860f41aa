import { SPANS } from '../../src/domain/trace.ts'
import type { CollectedSpan } from './trace-collector.ts'

const id = (prefix: string) => new RegExp(`^${prefix}_[0-9a-z]{26}$`)
/** A word or a code, such as OFFICIAL_OUTSIDE_24H_WINDOW; no number of a person is that short. */
const WORD = /^(?!.*\d{4})[A-Za-z][A-Za-z0-9_.]{1,59}$/

/** The shape of each attribute that a span may have: ids, codes and counts, nothing that a person wrote. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'channel.tenant.id': id('ten'),
  'channel.number.id': id('num'),
  'channel.message.id': id('msg'),
  'channel.call.id': id('call'),
  'channel.event.id': id('evt'),
  'channel.webhook.id': id('wh'),
  'channel.command': WORD,
  'channel.event': WORD,
  'channel.attempt': /^\d{1,2}$/,
  'channel.outcome': WORD,
  'error.type': /^((?!.*\d{4})[A-Z][A-Z0-9_]{1,59}|\d{3})$/,
  'http.request.method': /^[A-Z]{3,7}$/,
  'http.route': /^(\/[\w.-]*(\{\w+\})?)+$/,
  'http.response.status_code': /^\d{3}$/,
}

/** What a span tells that it must not; empty when it is as it should be. */
export function spanFaults({ name, attributes }: CollectedSpan): string[] {
  const isRequest = name === `${attributes['http.request.method']} ${attributes['http.route']}`
  const faults = Object.entries(attributes)
    .filter(([key, value]) => !SHAPES[key]?.test(String(value)))
    .map(([key, value]) => `${name}: ${key} is ${value}`)
  return Object.hasOwn(SPANS, name) || isRequest ? faults : [`a span is called ${name}`, ...faults]
}
