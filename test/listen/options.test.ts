import test from 'ava'
import { readOptions, UsageError } from '../../tools/listen/options.ts'

const KEY = 'cms_x'

test('a key alone listens to the service on this machine, from the next event on', (t) => {
  t.deepEqual(readOptions(['--key', KEY]), {
    key: KEY,
    url: 'http://localhost:3000',
    event: null,
    after: null,
    isFromOldest: false,
    forwardTo: null,
    secret: null,
    isJson: false,
  })
})

test('--help asks for nothing else', (t) => {
  t.is(readOptions(['--help']), null)
})

const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /--key is missing/],
  [['--key', 'key_01'], /begins with cms_/],
  [['--key', KEY, '--url', 'localhost:3000'], /--url takes a URL/],
  [['--key', KEY, '--forward', '4000/hook'], /--forward takes a URL/],
  [['--key', KEY, '--event', 'call.over'], /does not know "call.over"/],
  [['--key', KEY, '--event', '*'], /does not know/],
  [['--key', KEY, '--after', 'last'], /--after takes the id/],
  [['--key', KEY, '--after', `evt_${'0'.repeat(26)}`, '--all'], /exclude each other/],
  [['--key', KEY, '--secret', `whsec_${Buffer.alloc(32).toString('base64')}`], /give --forward too/],
  [['--key', KEY, '--forward', 'http://localhost:1/', '--secret', 'whsec_c2hvcnQ='], /24 to 64 bytes/],
  [['--key', KEY, '--forward', 'http://localhost:1/', '--secret', 'hunter2'], /24 to 64 bytes/],
  [['--key', KEY, '--loud'], /--loud/],
]
for (const [args, says] of WRONG) {
  test(`${args.join(' ') || 'no argument'} is refused with what to do`, (t) => {
    t.throws(() => readOptions(args), { instanceOf: UsageError, message: says })
  })
}
