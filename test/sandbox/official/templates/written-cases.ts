import { withBody, headed, buttoned, reply, link, dynamic, call, code, BODY, footed } from './written-templates.ts'

/** Templates that are accepted, by the fields in which they differ from `base`. */
export const GOOD: [string, object][] = [
  [
    'types in any case',
    {
      components: [
        { type: 'body', text: 'Hello' },
        { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Yes' }] },
      ],
    },
  ],
  ['variables with samples', { components: withBody('Hello {{1}}, order {{2}} came.', 'Ana', '7') }],
  ['a text header with a brand', { components: headed('Sales for {{1}}®', 'you') }],
  [
    'named variables',
    {
      parameter_format: 'named',
      components: [
        {
          type: 'BODY',
          text: 'Hello {{first_name}}, welcome.',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] },
        },
      ],
    },
  ],
  [
    'buttons of each kind',
    {
      components: buttoned(
        reply(),
        reply('No'),
        link('https://shop.dev'),
        dynamic,
        call('+551140000000'),
        code('SAVE10'),
        { type: 'FLOW', text: 'Form', flow_id: '77', flow_action: 'navigate', navigate_screen: 'A' },
      ),
    },
  ],
  [
    'a code as a list, and a request for a payment',
    { components: buttoned(code(['SAVE10']), { type: 'PAYMENT_REQUEST', text: 'Pay', example: ['PIX'] }) },
  ],
  [
    'the place of an order',
    { display_format: 'ORDER_DETAILS', components: buttoned({ type: 'ORDER_DETAILS', text: 'Review' }) },
  ],
  ['headers that have nothing', { components: [{ type: 'HEADER', format: 'LOCATION' }, BODY] }],
]

const TOO_LONG = 'x'.repeat(61)
/** Templates that are refused, by their fields, with the upstream's code and subcode. */
export const BAD: [string, object, string][] = [
  ['a name with capitals', { name: 'Welcome' }, '100/2388046'],
  ['a long name', { name: 'x'.repeat(513) }, '100/2388046'],
  ['a language that upstream lacks', { language: 'pt' }, '100'],
  ['a language with a dash', { language: 'pt-BR' }, '100'],
  ['a category of nobody', { category: 'OTP' }, '100'],
  ['no components', { components: [] }, '100'],
  ['components of no form', { components: 'x' }, '100'],
  ['an unknown component', { components: [BODY, { type: 'SIDEBAR' }] }, '100'],
  ['an unknown key', { components: [{ ...BODY, colour: 'red' }] }, '100'],
  ['two bodies', { components: [BODY, BODY] }, '100'],
  ['no body', { components: [{ type: 'FOOTER', text: 'bye' }] }, '100/2388072'],
  ['an empty body', { components: withBody(' ') }, '100/2388072'],
  ['a long body', { components: withBody('x'.repeat(1_025)) }, '100/2388040'],
  ['a variable at the start', { components: withBody('{{1}} hello', 'x') }, '100/2388299'],
  ['a variable at the end, white space behind', { components: withBody('hello {{1}} \n', 'x') }, '100/2388299'],
  ['a variable without a sample', { components: withBody('hello {{1}} there') }, '100/2388273'],
  ['a blank sample', { components: withBody('hello {{1}} there', ' ') }, '100/2388273'],
  ['a sample too few', { components: withBody('hello {{1}} and {{2}} there', 'x') }, '100/2388273'],
  ['numbers with a gap', { components: withBody('hello {{1}} and {{3}} there', 'x', 'y') }, '100/2388072'],
  ['names where numbers are', { components: withBody('hello {{name}} there', 'x') }, '100/2388072'],
  ['braces without a partner', { components: withBody('hello {{1} there', 'x') }, '100/2388072'],
  [
    'numbers where names are',
    { parameter_format: 'NAMED', components: withBody('hello {{1}} there', 'x') },
    '100/2388072',
  ],
  [
    'samples of numbers where names are',
    { parameter_format: 'NAMED', components: withBody('hello {{a}} there', 'x') },
    '100/2388273',
  ],
  [
    'more variables than words',
    { components: withBody('a {{1}}, {{2}}, {{3}}, {{4}} b', 'w', 'x', 'y', 'z') },
    '100/2388293',
  ],
  ['an empty header', { components: headed('') }, '100/2388047'],
  ['a header with a picture', { components: headed('Sale 🎉') }, '100/2388047'],
  ['a header with a line break', { components: headed('a\nb') }, '100/2388047'],
  ['a header with formatting', { components: headed('*Sale*') }, '100/2388047'],
  ['a header with two variables', { components: headed('a {{1}} {{2}}', 'x', 'y') }, '100/2388047'],
  ['a long header', { components: headed(TOO_LONG) }, '100/2388040'],
  ['a header without a sample', { components: headed('for {{1}}') }, '100/2388273'],
  ['an unknown header', { components: [{ type: 'HEADER', format: 'SMELL' }, BODY] }, '100/2388047'],
  ['a header without a file', { components: [{ type: 'HEADER', format: 'IMAGE' }, BODY] }, '100/2388273'],
  [
    'a header by address',
    {
      components: [{ type: 'HEADER', format: 'VIDEO', example: { header_handle: ['https://files.dev/a.mp4'] } }, BODY],
    },
    '100/2388273',
  ],
  ['a picture in the footer', { components: footed('by us 😀') }, '100/2388072'],
  ['two lines in a footer', { components: footed('by\nus') }, '100/2388072'],
  ['a picture in a label', { components: buttoned(reply('Yes ✅')) }, '100/2388060'],
  ['a formatted label', { components: buttoned(reply('*Yes*')) }, '100/2388060'],
  ['a variable behind punctuation', { components: withBody('Hello {{1}}.', 'x') }, '100/2388299'],
  ['variables side by side', { components: withBody('Hello {{1}} {{2}} my friend', 'x', 'y') }, '100/2388299'],
  ['a variable in the footer', { components: footed('by {{1}}') }, '100/2388073'],
  ['a long footer', { components: footed(TOO_LONG) }, '100/2388040'],
  ['eleven buttons', { components: buttoned(...Array.from({ length: 11 }, (_, index) => reply(`${index}`))) }, '100'],
  ['no buttons', { components: buttoned() }, '100'],
  [
    'three addresses',
    { components: buttoned(link('https://a.dev'), link('https://b.dev'), link('https://c.dev')) },
    '100',
  ],
  ['two calls', { components: buttoned(call('+551140000000'), call('+551140000001')) }, '100'],
  ['quick replies apart', { components: buttoned(reply(), link('https://a.dev'), reply('No')) }, '100'],
  ['a long label', { components: buttoned(reply('x'.repeat(26))) }, '100/2388040'],
  ['a variable in a label', { components: buttoned(reply('{{1}}')) }, '100'],
  ['no label', { components: buttoned(reply(' ')) }, '100'],
  ['an unknown button', { components: buttoned({ type: 'LEVER', text: 'x' }) }, '100'],
  ['a button for codes elsewhere', { components: buttoned({ type: 'OTP', otp_type: 'COPY_CODE' }) }, '100'],
  ['an address that is none', { components: buttoned(link('shop.dev')) }, '100'],
  ['white space in an address', { components: buttoned(link('https://shop.dev/a b')) }, '100'],
  [
    'a variable in the domain',
    { components: buttoned(link('https://{{1}}.dev/', { example: ['https://a.dev/'] })) },
    '100',
  ],
  [
    'a variable not at the end',
    { components: buttoned(link('https://shop.dev/{{1}}/a', { example: ['https://shop.dev/7/a'] })) },
    '100',
  ],
  [
    'two variables in an address',
    { components: buttoned(link('https://shop.dev/{{1}}{{2}}', { example: ['x'] })) },
    '100',
  ],
  ['an address without a sample', { components: buttoned(link('https://shop.dev/{{1}}')) }, '100/2388273'],
  ['a long address', { components: buttoned(link(`https://shop.dev/${'x'.repeat(2_000)}`)) }, '100/2388040'],
  ['a domain that stands for another', { components: buttoned(link('https://www.example.com/a')) }, '368/1346003'],
  ['a machine of its own', { components: buttoned(link('http://localhost/a')) }, '368/1346003'],
  ['a phone without its country', { components: buttoned(call('11 4000-0000')) }, '192'],
  ['a code with signs', { components: buttoned(code('SAVE-10')) }, '100'],
  ['a long code', { components: buttoned(code('x'.repeat(16))) }, '100'],
  ['a Flow of no number', { components: buttoned({ type: 'FLOW', text: 'Form', flow_id: null }) }, '100'],
  ['a Flow that is none', { components: buttoned({ type: 'FLOW', text: 'Form' }) }, '100'],
]
