import type { Change } from './score.ts'

/** Changes that no test can notice, with the reason; by file, then by what the change makes of the code. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/domain/turns.ts': {
    '72:70 at <= heir.at': 'no two were asked at once',
    '90:28 "Stryker was here!"': 'any key does, as there is one',
    '156:39 +1': 'without a line nothing is taken out',
  },
  'actors/sending/decide.ts': {
    "case 'TimerFired':": 'falls through to what names no message, and the timer is set anew afterwards',
    '72:55 true': 'a look that is wanted waits until sending is open again, and a wake wants one anyway',
    '73:51 true': 'a wake forgets the time of the next message anyway',
    '["Stryker was here"]': 'is no effect',
  },
}

/** Why no test notices the change; null when that is not known. */
export function reasonOf({ fileName, replacement, location }: Change): string | null {
  const { line, column } = location.start
  const reasons = Object.entries(KNOWN).find(([file]) => fileName.endsWith(file))?.[1]
  return reasons?.[replacement] ?? reasons?.[`${line}:${column} ${replacement}`] ?? null
}
