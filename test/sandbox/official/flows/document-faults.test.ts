import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readDocument } from '../../../../sandbox/official/flows/document/read-document.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/flows')

function fixture(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8')
}

/** The faults as `error line:from-to path`, or `error line:from..lastLine path` when there are several lines. */
function foundIn(text: string): string[] {
  return readDocument(Buffer.from(text)).errors.map((item) => {
    const { error, line_start: line, line_end: lineEnd, column_start: from, column_end: to, pointers } = item as any
    return `${error} ${line}:${from}${line === lineEnd ? `-${to}` : `..${lineEnd}`} ${pointers[0].path}`.trim()
  })
}

/** A document of the fixtures in which the first text of each pair is replaced once by the second. */
function mutated(name: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
    return text.replace(from, () => to)
  }, fixture(name))
}

const SCREENS_101 = Array.from(
  { length: 101 },
  (_, n) =>
    `{"id": "S_${[...String(n)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')}", "terminal": true, "layout": {"type": "SingleColumnLayout", "children": [{"type": "Footer", "label": "Go", "on-click-action": {"name": "complete", "payload": {}}}]}}`,
)

type Row = readonly [fixture: string, pairs: readonly (readonly [string, string])[], found: readonly string[]]
const FAULTS: Readonly<Record<string, readonly Row[]>> = {
  INVALID_FLOW_JSON: [
    ['7.3-bare', [['"terminal": true,', '"terminal": true,,']], ['INVALID_FLOW_JSON 7:24-24']],
    ['7.3-bare', [['"id": "ONLY"', '"id": ONLY']], ['INVALID_FLOW_JSON 6:13-13']],
    ['7.3-bare', [['"label": "Done"', '"label": "Do\nne"']], ['INVALID_FLOW_JSON 13:25-25']],
    ['7.3-bare', [['    }\n  ]\n}\n', '    }\n  ]\n']], ['INVALID_FLOW_JSON 23:1-1']],
    ['7.3-bare', [['    }\n  ]\n}\n', '    }\n  ]\n}\n}']], ['INVALID_FLOW_JSON 24:1-1']],
  ],
  MISSING_FLOW_JSON_VERSION: [
    ['7.3-bare', [['  "version": "7.3",\n', '']], ['MISSING_FLOW_JSON_VERSION 1:1..22']],
    ['7.3-bare', [['"version"', '"vers1on"']], ['MISSING_FLOW_JSON_VERSION 1:1..23']],
  ],
  INVALID_FLOW_JSON_VERSION: [
    ['7.3-bare', [['"7.3"', '"7.4"']], ['INVALID_FLOW_JSON_VERSION 2:14-18 version']],
    ['7.3-bare', [['"7.3"', '7.3']], ['INVALID_FLOW_JSON_VERSION 2:14-16 version']],
    ['7.3-bare', [['"7.3"', '"2.0"']], ['INVALID_FLOW_JSON_VERSION 2:14-18 version']],
  ],
  INVALID_PROPERTY_KEY: [
    [
      '7.3-bare',
      [['"routing_model": {}', '"data_channel_uri": "https://example.com"']],
      ['INVALID_PROPERTY_KEY 3:3-20 data_channel_uri'],
    ],
    [
      '5.1-terms',
      [['"label": "Passcode"', '"initial-text": "x",\n            "label": "Passcode"']],
      ['INVALID_PROPERTY_KEY 22:13-26 screens[0].layout.children[1].initial-text'],
    ],
    [
      '4.0-claim',
      [['"title": "Claim"', '"sensitive": [],\n      "title": "Claim"']],
      ['INVALID_PROPERTY_KEY 6:7-17 screens[0].sensitive'],
    ],
    [
      '7.3-bare',
      [['"type": "SingleColumnLayout"', '"color": 1,\n        "type": "SingleColumnLayout"']],
      ['INVALID_PROPERTY_KEY 9:9-15 screens[0].layout.color'],
    ],
    [
      '3.1-survey',
      [['"label": "Stars"', '"init-value": "1",\n                "label": "Stars"']],
      ['INVALID_PROPERTY_KEY 17:17-28 screens[0].layout.children[0].children[0].init-value'],
    ],
  ],
  INVALID_PROPERTY_TYPE: [
    [
      '7.3-bare',
      [['"terminal": true', '"terminal": "true"']],
      ['MISSING_TERMINAL_SCREEN 4:14..22 screens', 'INVALID_PROPERTY_TYPE 7:19-24 screens[0].terminal'],
    ],
    [
      '2.1-complaint',
      [['"enabled": true', '"enabled": "yes"']],
      ['INVALID_PROPERTY_TYPE 111:28-32 screens[0].layout.children[1].children[4].enabled'],
    ],
    [
      '7.3-bare',
      [['"label": "Done"', '"label": ["Done"]']],
      ['INVALID_PROPERTY_TYPE 13:22-29 screens[0].layout.children[0].label'],
    ],
    [
      '5.0-booking',
      [['"HOUR": [\n      "DONE"\n    ]', '"HOUR": "DONE"']],
      [
        'INVALID_PROPERTY_TYPE 8:13-18 routing_model.HOUR',
        'INVALID_ROUTING_MODEL 120:25-30 screens[1].layout.children[2].on-click-action.next.name',
      ],
    ],
    ['7.3-bare', [['"routing_model": {}', '"routing_model": []']], ['INVALID_PROPERTY_TYPE 3:20-21 routing_model']],
  ],
  MISSING_REQUIRED_PROPERTY: [
    ['7.3-bare', [['"id": "ONLY",\n', '\n']], ['MISSING_REQUIRED_PROPERTY 5:5..21 screens[0]']],
    [
      '5.0-booking',
      [['"routing_model"', '"routing_mode1"']],
      ['MISSING_REQUIRED_PROPERTY 1:1..161', 'INVALID_PROPERTY_KEY 4:3-17 routing_mode1'],
    ],
    [
      '7.3-bare',
      [['"screens"', '"screams"']],
      ['MISSING_REQUIRED_PROPERTY 1:1..23', 'INVALID_PROPERTY_KEY 4:3-11 screams'],
    ],
    ['7.3-bare', [['"label": "Done",', '']], ['MISSING_REQUIRED_PROPERTY 11:11..18 screens[0].layout.children[0]']],
    [
      '7.3-bare',
      [['"complete"', '"data_exchange"']],
      ['MISSING_REQUIRED_PROPERTY 14:32..17 screens[0].layout.children[0].on-click-action'],
    ],
  ],
  INVALID_PROPERTY_VALUE: [
    [
      '5.1-terms',
      [['"TextBody"', '"TextBoddy"']],
      ['INVALID_PROPERTY_VALUE 15:21-31 screens[0].layout.children[0].type'],
    ],
    [
      '7.3-bare',
      [['"SingleColumnLayout"', '"TwoColumnLayout"']],
      ['INVALID_PROPERTY_VALUE 9:17-33 screens[0].layout.type'],
    ],
    [
      '5.1-terms',
      [
        ['"5.1"', '"5.0"'],
        ['"sensitive": [\n        "pass"\n      ],', ''],
        ['"markdown": true', '"strikethrough": true'],
      ],
      ['INVALID_PROPERTY_VALUE 55:21-30 screens[1].layout.children[0].type'],
    ],
    [
      '7.0-feedback',
      [
        ['"7.0"', '"6.2"'],
        ['"label-variant": "large"\n', '"required": true\n'],
        ['"label-variant": "large",', ''],
      ],
      ['INVALID_PROPERTY_VALUE 26:21-35 screens[0].layout.children[2].type'],
    ],
  ],
  MIN_ITEMS_REQUIRED: [
    [
      '7.1-rooms',
      [
        [
          '[\n              {\n                "src": "iVBORw0KGgo=",\n                "alt-text": "Bed"\n              },\n              {\n                "src": "iVBORw0KGgo=",\n                "alt-text": "Bath"\n              }\n            ]',
          '[]',
        ],
      ],
      ['MIN_ITEMS_REQUIRED 28:23-24 screens[0].layout.children[0].images'],
    ],
  ],
  PATTERN_MISMATCH: [
    ['7.3-bare', [['"ONLY"', '"ONLY_1"']], ['PATTERN_MISMATCH 6:13-20 screens[0].id']],
    ['7.3-bare', [['"ONLY"', '"TWO WORDS"']], ['PATTERN_MISMATCH 6:13-23 screens[0].id']],
    ['7.3-bare', [['"ONLY"', '""']], ['PATTERN_MISMATCH 6:13-14 screens[0].id']],
  ],
  DUPLICATE_SCREEN_IDS: [
    [
      '5.1-terms',
      [
        ['"id": "TERMS"', '"id": "LOGIN"'],
        ['"name": "TERMS"', '"name": "TERMS"'],
      ],
      [
        'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME 32:25-31 screens[0].layout.children[2].on-click-action.next.name',
        'DUPLICATE_SCREEN_IDS 51:13-19 screens[1].id',
      ],
    ],
    [
      '7.1-rooms',
      [['"id": "HELP"', '"id": "CONFIRM"']],
      [
        'INVALID_ROUTING_MODEL 7:7-12 routing_model.ROOMS[1]',
        'INVALID_ROUTING_MODEL 10:5-10 routing_model.HELP',
        'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME 81:25-30 screens[0].layout.children[2].on-click-action.next.name',
        'DUPLICATE_SCREEN_IDS 134:13-21 screens[2].id',
      ],
    ],
  ],
  SCREEN_ID_IS_RESERVED_KEYWORD: [
    ['7.3-bare', [['"ONLY"', '"SUCCESS"']], ['SCREEN_ID_IS_RESERVED_KEYWORD 6:13-21 screens[0].id']],
    ['7.3-bare', [['"ONLY"', '"success"']], ['SCREEN_ID_IS_RESERVED_KEYWORD 6:13-21 screens[0].id']],
  ],
  MISSING_TERMINAL_SCREEN: [
    ['7.3-bare', [['"terminal": true', '"terminal": false']], ['MISSING_TERMINAL_SCREEN 4:14..22 screens']],
    ['7.0-feedback', [['"terminal": true,\n', '\n']], ['MISSING_TERMINAL_SCREEN 3:14..74 screens']],
  ],
  MISSING_FOOTER_ON_TERMINAL_SCREEN: [
    [
      '5.1-terms',
      [['"title": "Terms"', '"terminal": true,\n      "title": "Terms"']],
      ['MISSING_FOOTER_ON_TERMINAL_SCREEN 50:5..68 screens[1]'],
    ],
    [
      '7.3-bare',
      [
        ['"Footer"', '"EmbeddedLink"'],
        ['"label"', '"text"'],
      ],
      ['MISSING_FOOTER_ON_TERMINAL_SCREEN 5:5..21 screens[0]'],
    ],
  ],
  MORE_THAN_ONE_FOOTER: [
    [
      '7.1-rooms',
      [
        [
          '{\n            "type": "TextBody",\n            "text": "Call us."\n          }',
          '{"type": "Footer", "label": "One", "on-click-action": {"name": "complete"}}',
        ],
      ],
      ['MORE_THAN_ONE_FOOTER 142:11..149 screens[2].layout.children[1]'],
    ],
    [
      '4.0-claim',
      [
        [
          '"text": "Sweep it up."\n',
          '"text": "x"}, {"type": "Footer", "label": "One", "on-click-action": {"name": "complete"}\n',
        ],
      ],
      ['MORE_THAN_ONE_FOOTER 93:11..104 screens[0].layout.children[3]'],
    ],
    [
      '4.0-claim',
      [
        [
          '"then": [\n              {\n                "type": "Footer",',
          '"then": [{"type": "Footer", "label": "Zero", "on-click-action": {"name": "complete"}},\n              {\n                "type": "Footer",',
        ],
      ],
      ['MORE_THAN_ONE_FOOTER 136:15..145 screens[1].layout.children[1].then[1]'],
    ],
  ],
  DUPLICATE_FORM_COMPONENT_NAMES: [
    [
      '2.1-complaint',
      [['"name": "kind"', '"name": "order"']],
      ['DUPLICATE_FORM_COMPONENT_NAMES 65:25-31 screens[0].layout.children[1].children[1].name'],
    ],
    [
      '4.0-claim',
      [['"name": "where"', '"name": "kind"']],
      ['DUPLICATE_FORM_COMPONENT_NAMES 44:25-30 screens[0].layout.children[1].then[0].name'],
    ],
  ],
  INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME: [
    [
      '3.1-survey',
      [['"name": "Q_TWO"', '"name": "Q_SIX"']],
      [
        'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME 49:29-35 screens[0].layout.children[0].children[1].on-click-action.next.name',
      ],
    ],
    [
      '3.1-survey',
      [['"name": "Q_TWO"', '"name": "Q_ONE"']],
      [
        'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME 49:29-35 screens[0].layout.children[0].children[1].on-click-action.next.name',
      ],
    ],
    [
      '6.2-catalog',
      [['"name": "CAKE"', '"name": "PIE"']],
      [
        'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME 53:29-33 screens[0].layout.children[0].list-items[1].on-click-action.next.name',
      ],
    ],
  ],
  INVALID_ROUTING_MODEL: [
    [
      '5.0-booking',
      [['"DONE": []', '"DONE": [],\n    "GONE": []']],
      ['INVALID_ROUTING_MODEL 12:5-10 routing_model.GONE'],
    ],
    [
      '5.0-booking',
      [['"DAY": [\n      "HOUR"', '"DAY": [\n      "HOUR",\n      "YEAR"']],
      ['INVALID_ROUTING_MODEL 7:7-12 routing_model.DAY[1]'],
    ],
    ['5.0-booking', [['"DONE": []', '"DONE": ["HOUR"]']], ['INVALID_ROUTING_MODEL 11:14-19 routing_model.DONE[0]']],
    ['5.0-booking', [['"DONE": []', '"DONE": ["DAY"]']], ['INVALID_ROUTING_MODEL 4:20..12 routing_model']],
    ['5.0-booking', [['"DONE": []', '"DONE": ["DONE"]']], ['INVALID_ROUTING_MODEL 11:14-19 routing_model.DONE[0]']],
    ['5.0-booking', [[',\n    "DONE": []', '']], ['INVALID_ROUTING_MODEL 4:20..11 routing_model']],
    [
      '5.0-booking',
      [
        ['"DAY": [\n      "HOUR"\n    ]', '"DAY": []'],
        ['"HOUR": [\n      "DONE"\n    ]', '"HOUR": []'],
      ],
      ['INVALID_ROUTING_MODEL 118:25-30 screens[1].layout.children[2].on-click-action.next.name'],
    ],
    [
      '3.1-survey',
      [
        [
          '"name": "complete",\n                  "payload"',
          '"name": "navigate",\n                  "next": {"type": "screen", "name": "Q_ONE"},\n                  "payload"',
        ],
      ],
      ['INVALID_ROUTING_MODEL 3:14..105 screens'],
    ],
  ],
}

for (const [error, rows] of Object.entries(FAULTS)) {
  for (const [at, [name, pairs, found]] of rows.entries()) {
    // [sandbox.templates-and-flows.5] [sandbox.templates-and-flows.6] [sandbox.templates-and-flows.7]
    // [sandbox.templates-and-flows.8] [sandbox.templates-and-flows.9] [sandbox.templates-and-flows.11]
    // [sandbox.templates-and-flows.12] [sandbox.templates-and-flows.13] [sandbox.templates-and-flows.14]
    // [sandbox.templates-and-flows.15] [sandbox.templates-and-flows.16] [sandbox.templates-and-flows.17]
    test(`${error} is found at its place (${at}): ${name} with ${JSON.stringify(pairs.at(-1)?.[1]).slice(0, 60)}`, (t) => {
      t.true(found.some((one) => one.startsWith(error)))
      t.deepEqual(foundIn(mutated(name, pairs)), found)
    })
  }
}

// [sandbox.templates-and-flows.10]
test('MIN_ITEMS_REQUIRED and MAX_SCREENS_NUMBER are found where screens are none or too many', (t) => {
  t.deepEqual(foundIn('{"version": "7.1",\n"screens": []}'), ['MIN_ITEMS_REQUIRED 2:12-13 screens'])
  const many = (count: number) => `{\n"version": "7.1",\n"screens":\n[${SCREENS_101.slice(0, count).join(',\n')}]}`
  t.deepEqual(foundIn(many(100)), [])
  t.deepEqual(foundIn(many(101)), ['MAX_SCREENS_NUMBER 4:1..104 screens'])
  t.deepEqual(foundIn(many(101).replace('"S_BAA"', '"S_A"')), [
    'MAX_SCREENS_NUMBER 4:1..104 screens',
    'DUPLICATE_SCREEN_IDS 104:8-12 screens[100].id',
  ])
})

test('an item of a fault has its kind, a text, and a pointer at the same place', (t) => {
  const [item] = readDocument(Buffer.from(mutated('7.3-bare', [['"ONLY"', '"O1"']]))).errors
  const place = { line_start: 6, line_end: 6, column_start: 13, column_end: 16 }
  t.deepEqual(item, {
    error: 'PATTERN_MISMATCH',
    error_type: 'JSON_SCHEMA_ERROR',
    message: "Property 'id' should only consist of alphabets and underscores.",
    ...place,
    pointers: [{ ...place, path: 'screens[0].id' }],
  })
  t.like(readDocument(Buffer.from('[]')).errors[0], {
    error: 'INVALID_FLOW_JSON',
    error_type: 'FLOW_JSON_ERROR',
    line_start: 1,
    column_start: 1,
  })
})

test('places are the same however lines end, in texts with escapes and emojis, and of the last of a name that stands twice', (t) => {
  const text = mutated('7.3-bare', [
    ['"ONLY"', '"😀\\"\\u0041"'],
    ['"Done"', '"\\\\"'],
  ])
  t.deepEqual(foundIn(text), ['PATTERN_MISMATCH 6:13-24 screens[0].id'])
  t.deepEqual(foundIn(text.replaceAll('\n', '\r\n')), foundIn(text))
  t.deepEqual(foundIn(text.replaceAll('\n', '\r')), foundIn(text))
  t.deepEqual(foundIn('{"version": "7.1",\n"screens": 1,\n"screens":\n[]}'), ['MIN_ITEMS_REQUIRED 4:1-2 screens'])
  t.deepEqual(
    foundIn('{"version": "7.1", "screens": [], "__proto__": 1,\n"constructor": 2}').map((one) =>
      one.replace(/-.*/, ''),
    ),
    ['MIN_ITEMS_REQUIRED 1:31', 'INVALID_PROPERTY_KEY 1:35', 'INVALID_PROPERTY_KEY 2:1'],
  )
})

const MEGABYTES = 10 * 1024 * 1024
const HUGE: Readonly<Record<string, () => string>> = {
  'one text': () => `{"version": "7.1", "screens": ["${'x'.repeat(MEGABYTES)}"]}`,
  zeros: () => `{"version": "7.1", "screens": [${'0,'.repeat(MEGABYTES / 2)}0]}`,
  components: () =>
    `{"version": "7.1", "screens": [{"id": "A", "layout": {"type": "SingleColumnLayout", "children": [${'{},'.repeat(MEGABYTES / 3)}{}]}}]}`,
  keys: () => `{"version": "7.1",${Array.from({ length: 600_000 }, (_, n) => `"key${n}":${n}`).join(',')}}`,
  nothing: () => ' '.repeat(MEGABYTES),
  'lists nested 10,000 deep': () => `{"version": "7.1", "screens": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  'branches nested 10,000 deep': () =>
    `{"version": "7.1", "screens": [{"id": "A", "layout": {"type": "SingleColumnLayout", "children": [${'{"type": "If", "condition": "${data.x}", "then": ['.repeat(10_000)}1${']}'.repeat(10_000)}]}}]}`,
  'lists that do not end': () => '['.repeat(MEGABYTES),
}
for (const [what, textOf] of Object.entries(HUGE)) {
  test(`a document of ${what} is read, and at most 1,000 of its faults are told`, (t) => {
    const { errors } = readDocument(Buffer.from(textOf()))
    t.true(errors.length > 0 && errors.length <= 1_000)
  })
}
