import test from 'ava'
import { readOptions, UsageError } from '../../tools/engine-check/options.ts'

const ENGINE = ['--url', 'ws://127.0.0.1:3005/', '--token', 'secret']

test('an address and a token check the handshake alone', (t) => {
  t.deepEqual(readOptions(ENGINE), {
    url: 'ws://127.0.0.1:3005',
    token: 'secret',
    number: null,
    peer: null,
    scanUrl: null,
    isReplyAsked: false,
    areCallsAsked: false,
    isRotationAsked: false,
    mediaAddress: '127.0.0.1',
    patienceMs: 15_000,
    isJson: false,
  })
})

test('numbers are taken as people write them', (t) => {
  const options = readOptions([
    ...ENGINE,
    '--number',
    '+55 (11) 98888-7777',
    '--peer',
    '5511990000005',
    '--reply',
    '--calls',
    '--patience',
    '2.5',
  ])
  t.like(options, {
    number: '5511988887777',
    peer: '5511990000005',
    isReplyAsked: true,
    areCallsAsked: true,
    patienceMs: 2_500,
  })
})

test('--help asks for nothing else', (t) => {
  t.is(readOptions(['--help']), null)
})

const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /--url is missing/],
  [['--url', 'ws://127.0.0.1:3005'], /--token is missing/],
  [['--url', 'http://127.0.0.1:3005', '--token', 'x'], /--url takes a URL like ws:/],
  [[...ENGINE, '--number', 'me'], /--number takes a phone number/],
  [[...ENGINE, '--peer', '5511990000005'], /give --number too/],
  [[...ENGINE, '--number', '5511988887777', '--reply'], /give --peer too/],
  [[...ENGINE, '--scan-url', 'http://127.0.0.1/scan'], /give --number too/],
  [[...ENGINE, '--number', '5511988887777', '--scan-url', 'ws://127.0.0.1'], /--scan-url takes a URL like http:/],
  [[...ENGINE, '--patience', '0'], /--patience takes seconds/],
  [[...ENGINE, '--loud'], /--loud/],
]
for (const [args, says] of WRONG) {
  test(`the command line "${args.join(' ')}" is refused with what to do`, (t) => {
    const error = t.throws(() => readOptions(args), { instanceOf: UsageError })
    t.regex(error.message, says)
  })
}
