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
    takeover: null,
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

// [engine-fleet.takeover.4]
test('the other engines of a takeover are told one by one or in a list', (t) => {
  const asked = [...ENGINE, '--number', '5511988887777', '--takeover']
  const options = readOptions([
    ...asked,
    '--other',
    'ws://10.0.0.2:3005/, ws://10.0.0.3:3005',
    '--other',
    'wss://engines.example/four',
    '--other',
    'ws://10.0.0.3:3005',
    '--kill-url',
    'http://127.0.0.1:4000/kill',
  ])
  t.deepEqual(options?.takeover, {
    others: ['ws://10.0.0.2:3005', 'ws://10.0.0.3:3005', 'wss://engines.example/four'],
    killUrl: 'http://127.0.0.1:4000/kill',
  })
  t.deepEqual(readOptions([...asked, '--other', 'ws://10.0.0.2:3005'])?.takeover, {
    others: ['ws://10.0.0.2:3005'],
    killUrl: null,
  })
})

test('--help asks for nothing else', (t) => {
  t.is(readOptions(['--help']), null)
})

const TAKEOVER = [...ENGINE, '--number', '5511988887777', '--takeover']
const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /--url is missing/],
  [['--url', 'ws://127.0.0.1:3005'], /--token is missing/],
  [['--url', 'http://127.0.0.1:3005', '--token', 'x'], /--url takes a URL like ws:/],
  [[...ENGINE, '--number', 'me'], /--number takes a phone number/],
  [[...ENGINE, '--peer', '5511990000005'], /give --number too/],
  [[...ENGINE, '--number', '5511988887777', '--reply'], /give --peer too/],
  [[...ENGINE, '--scan-url', 'http://127.0.0.1/scan'], /give --number too/],
  [[...ENGINE, '--number', '5511988887777', '--scan-url', 'ws://127.0.0.1'], /--scan-url takes a URL like http:/],
  [[...ENGINE, '--takeover', '--other', 'ws://127.0.0.1:3006'], /--takeover is of a number: give --number too/],
  [[...ENGINE, '--number', '5511988887777', '--takeover'], /another engine of the fleet: .* --other ws:/],
  [[...ENGINE, '--number', '5511988887777', '--other', 'ws://127.0.0.1:3006'], /give --takeover too/],
  [[...ENGINE, '--number', '5511988887777', '--kill-url', 'http://127.0.0.1/kill'], /give --takeover too/],
  [[...TAKEOVER, '--other', 'http://127.0.0.1:3006'], /--other takes a URL like ws:/],
  [[...TAKEOVER, '--other', ''], /--other takes a URL like ws:/],
  [[...TAKEOVER, '--other', 'ws://127.0.0.1:3005'], /--other takes engines beside that of --url/],
  [[...TAKEOVER, '--other', 'ws://127.0.0.1:3006', '--kill-url', 'kill'], /--kill-url takes a URL like http:/],
  [[...ENGINE, '--patience', '0'], /--patience takes seconds/],
  [[...ENGINE, '--loud'], /--loud/],
]
for (const [args, says] of WRONG) {
  test(`the command line "${args.join(' ')}" is refused with what to do`, (t) => {
    const error = t.throws(() => readOptions(args), { instanceOf: UsageError })
    t.regex(error.message, says)
  })
}
