import test from 'ava'
import { readMoveOptions } from '../../move/options.ts'

// [engine-fleet.store.5]
test('a move names the place that numbers come from and the one that they go to', (t) => {
  t.deepEqual(readMoveOptions(['--from', 'sqlite', '--to', 'postgres']), {
    from: 'sqlite',
    isDryRun: false,
    dropped: [],
  })
  t.deepEqual(readMoveOptions(['--to=sqlite', '--dry-run', '--from=postgres', '--drop', 'num_1', '--drop=num_2']), {
    from: 'postgres',
    isDryRun: true,
    dropped: ['num_1', 'num_2'],
  })
  t.is(readMoveOptions(['--help']), null)
})

test('a word that is wrong is named, with the usage below it', (t) => {
  const faults = {
    '--from must be sqlite or postgres': [],
    '--to must be sqlite or postgres': ['--from', 'sqlite', '--to', 'mysql'],
    '--from and --to must be two places': ['--from', 'sqlite', '--to', 'sqlite'],
    '--from needs a value': ['--from', '--to', 'sqlite'],
    '--drop needs a value': ['--from', 'sqlite', '--to', 'postgres', '--drop'],
    '--quick is no option of move': ['--quick'],
    'sqlite is no option of move': ['sqlite', 'postgres'],
  }
  for (const [text, words] of Object.entries(faults)) {
    const error = t.throws(() => readMoveOptions(words), { name: 'StartFault' })
    t.true(error.message.startsWith(`${text}\n\nUsage: npm run engine -- move --from sqlite`), text)
  }
})
