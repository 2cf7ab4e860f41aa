import type { Change } from './score.ts'

/** Changes that no test can notice, with the reason; by file, then by what the change makes of the code. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/domain/message-change.ts': {
    '46:58 true': 'an edit that nobody asked for is refused when it is older than the last',
    '47:42 editedAt >= at': 'at one time both are the same',
  },
  'src/domain/message-key.ts': {
    '14:10 true': 'the word null is no key',
    '66:31 true': 'what an inner struct finds is thrown away',
    '80:9 this.#at <= this.#bytes.length': 'what is read past the end ends the reading one step later',
    '90:11 shift <= 32': 'it is a multiple of 7',
    '97:9 false': 'a text past the end ends the reading at the next head',
    '97:35 {}': 'a text past the end ends the reading at the next head',
    '97:9 end >= this.#bytes.length': 'a struct that has no end is no key',
  },
  'src/domain/sdp/sdp-fault.ts': { '41:19 media <= 0': 'the first line is never that of a media' },
  'src/domain/sdp/sdp-text.ts': {
    '75:7 section.type': 'a line of a media always gives a section',
    '88:19 "Stryker was here!"': 'no attribute that is read has that name',
    '88:56 ["Stryker was here"]': 'only the second and third place are read',
  },
  'src/domain/sdp/voice-description.ts': {
    '["Stryker was here"]': 'a word in place of no attributes has none of the fields that are read',
    '158:18 false': 'a tag is never undefined',
    '159:10 true': 'a section that carries itself changes nothing',
    '159:20 true': 'a section that carries itself changes nothing',
  },
  'src/domain/sdp/voice-text.ts': {
    '75:97 "Stryker was here!"': 'who is bundled has a mid',
    '91:98 true': 'the writer leaves out what is undefined',
    '111:10 false': 'the writer leaves out what is null',
  },
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
