import { execFileSync } from 'node:child_process'
import test from 'ava'
import { inLines, withUnseen } from '../../web/dashboard/pages/hooks/shown-text.ts'
import { asCurl } from '../../web/dashboard/pages/webhook/curl.ts'
import { joined, LOG_PAGE } from '../../web/dashboard/pages/webhook/log-item.ts'
import type { LogItem } from '../../web/dashboard/pages/webhook/log-item.ts'
import { attempt } from '../helpers/hook-scenes.ts'

function item(of: number, more: object = {}): LogItem {
  return attempt(of, more) as LogItem
}

// [dashboard.webhooks.4]
test('a copied command gives the shell each text as it is, whatever it holds', (t) => {
  const payload = `{"a":"it's $HOME \`id\` \\" \n!x"}`
  const command = asCurl("https://example.com/?a='b'", 'num_1', item(1, { payload, event: "$(id)'" }))
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, String.raw`printf '%s\0'`)], { encoding: 'utf8' })
  const given = printed.split('\0')
  t.is(given[2], "https://example.com/?a='b'")
  t.is(given.at(-2), payload)
  t.true(given.includes("x-channel-event: $(id)'"))
})

// [dashboard.webhooks.4]
test('characters that hide or reorder a text are written as escapes, joiners of emoji are not', (t) => {
  t.is(withUnseen('a\u202eb\u0000c\u200bd\u{e0041}'), String.raw`a\u202eb\u0000c\u200bd\udb40\udc41`)
  t.is(withUnseen('one\r\n\ttwo 👩‍🔧 é'), 'one\r\n\ttwo 👩‍🔧 é')
})

test('JSON is broken into lines without changing its values, other texts stay', (t) => {
  const json = '{"a":[1,{"b":"x,{}: \\" y"},[]],"n":12345678901234567890,"e":{}}'
  const lines = inLines(json)
  t.true(lines.includes('"n": 12345678901234567890') && lines.includes('"x,{}: \\" y"') && lines.includes('"e": {}'))
  t.deepEqual(JSON.parse(lines), JSON.parse(json))
  t.is(lines.split('\n').length, 11)
  t.is(inLines('<html>{"a":1}'), '<html>{"a":1}')
})

test('a page that is read anew is put before what is there; a gap between them is told', (t) => {
  const now = [item(2), item(1)]
  t.is(joined(now, now), now)
  t.deepEqual(joined([item(3), item(2), item(1)], now), [item(3), item(2), item(1)])
  t.is(joined([item(9), item(8)], now), null)
  t.deepEqual(joined([item(1)], []), [item(1)])
  t.is(
    joined(
      Array.from({ length: LOG_PAGE }, (_, at) => item(at)),
      [],
    ),
    null,
  )
})
