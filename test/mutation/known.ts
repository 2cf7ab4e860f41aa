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
  'src/domain/modes/contacts.ts': { '59:11 true': 'a name that is given overwrites the one before it' },
  'src/domain/phone-lengths.ts': {
    '49:13 false': 'a pattern of nothing matches no digits either',
    "69:29 found[0] === '' || found.every(group => !group)": 'no prefix of the tables fills a group in an empty match',
    '69:29 true': 'all groups are empty only where the match is',
    '69:48 found.some(group => !group)': 'no prefix of the tables fills a group in an empty match',
  },
  'src/domain/phone-reading.ts': {
    '{}': 'a text of a plus sign and digits alone has nothing that could be cut out of it',
    true: 'a text of a plus sign and digits alone has nothing that could be cut out of it',
    '/^\\d$/': 'the longer way gives the same answer',
    '/^\\D{8,15}$/': 'the longer way gives the same answer',
    "typed.endsWith('+')": 'the longer way gives the same answer',
    '51:41 typed': 'the longer way gives the same answer',
    '52:7 false': 'the longer way gives the same answer',
    '186:7 false': 'the longer way gives the same text',
    '/^\\+?\\d$/': 'the longer way gives the same text',
    '/^\\+\\d+$/': 'the longer way gives the same text',
    '"Stryker was here!"': 'it has no digits, or stands for a text that is never missing',
    '152:18 false': 'the word null is no number',
    '/\\( *\\+([\\d ]+)\\)/': 'what stands in front is refused later',
    '/\\p{Nd}$/u': 'it is tried on one character',
    '/^\\p{Nd}/u': 'it is tried on one character',
    '90:31 parsePhoneNumber(read.number, { extract: false }).number': 'what was read once is read again',
    '98:44 parsePhoneNumber(toE164(form), { extract: false }).isPossible':
      'forms are of countries that the tables know',
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
  'src/domain/send-reading.ts': {
    '72:7 true': 'both are read by then, but for reactions',
    '73:10 false': 'both are read by then, but for reactions',
    '74:24 ["Stryker was here"]': 'it is never reached',
    '93:18 false': 'no mode needs nothing',
  },
  'src/domain/turns.ts': {
    '72:70 at <= heir.at': 'no two were asked at once',
    '90:28 "Stryker was here!"': 'any key does, as there is one',
    '156:39 +1': 'without a line nothing is taken out',
  },
  'actors/number/calls/decide.ts': {
    '90:76 "Stryker was here!"': 'a text that is missing is told as none',
    '143:7 false': 'only a session that is up tells such an event of a device',
    '154:7 false': 'no other event has an end',
    '195:35 false': 'the call has no name yet either way',
  },
  'actors/number/changes/decide.ts': {
    '216:42 true': 'a read that is under way is not begun again',
    '222:63 true': 'what is being settled is open',
    '31:16 true': 'the first read forgets it',
  },
  'actors/number/decide.ts': {
    '36:50 true': 'while rows are read there is no write',
    '46:11 false': 'a number that stopped does not leave',
  },
  'actors/number/devices/decide.ts': { '39:10 true': 'nothing is compared with a missing time' },
  'actors/number/link/decide.ts': { '27:42 true': 'no other event has a state' },
  'actors/number/sends/decide.ts': { '68:32 true': 'who is connected has a session' },
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
