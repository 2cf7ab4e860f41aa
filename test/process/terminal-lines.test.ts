import { stripVTControlCharacters } from 'node:util'
import test from 'ava'
import { terminalLine } from '../../src/process/terminal-lines.ts'

test('a line for people shows time of day, level, program, message and fields', (t) => {
  const at = new Date(2026, 0, 5, 12, 0, 1)
  const line = terminalLine(
    JSON.stringify({
      level: 40,
      time: at.toISOString(),
      program: 'gateway',
      numberId: 'num_1',
      tries: 2,
      msg: 'lease lost',
    }),
  )
  t.is(stripVTControlCharacters(line), '12:00:01 warn  gateway lease lost numberId=num_1 tries=2\n')
})

test('a stack stands below its line, and what is no line of the log stays as it is', (t) => {
  t.regex(
    stripVTControlCharacters(
      terminalLine(
        JSON.stringify({
          level: 50,
          time: new Date().toISOString(),
          program: 'gateway',
          msg: 'failed',
          stack: 'at here',
        }),
      ),
    ),
    /gateway failed\nat here\n$/,
  )
  t.is(terminalLine('plain text\n'), 'plain text\n')
})
