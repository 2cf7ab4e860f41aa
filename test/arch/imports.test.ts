import test from 'ava'
import { OF_EXAMPLES, type Rule } from './import-rules.ts'
import { ONE_FILE } from './one-file.ts'
import { readSourceFiles, type Import, type SourceFile } from './source-files.ts'

const FILES = readSourceFiles()

/** The messages of the program that decodes and converts: types only, which are all that the product shares with it. */
const MEDIA_PROTOCOL = 'engines/media/protocol/'
const PROGRAMS = ['src/', 'actors/', 'media-host/', 'sandbox/', 'migrations/']
const BRIDGE = 'src/domain/device-bridge.ts'
/** The one secret that an engine derives as gateways do. */
const BRIDGE_TOKEN = 'src/register/bridge-token.ts'
/** What an engine shares with gateways where it registers: the register, and the ports and words that it needs. */
const OF_LEASES = ['src/leases/', 'src/ports/', 'src/process/', 'src/domain/']
const OF_FLEETS = ['src/register/', ...OF_LEASES]
/** What every page may import besides its own files: words, messages between host and frame, and small pure rules. */
const OF_PAGES = [
  'web/words/',
  'web/protocol/',
  'src/domain/branding',
  'src/domain/contrast.ts',
  'src/domain/characters.ts',
  'src/domain/limits.ts',
  'src/domain/template.ts',
  'src/domain/template-render.ts',
]
/** Packages that run in browsers; all of them count in the budgets of the pages. */
const WEB_PACKAGES = ['preact', '@preact/signals', 'virtua', 'lucide']
/** The import table: the first row whose prefix matches a file applies. */
const TABLE: readonly Rule[] = [
  {
    area: 'src/domain/',
    project: ['src/domain/'],
    packages: ['zod', 'libphonenumber-js', 'lru-cache', 'sdp-transform', 'node:*'],
  },
  { area: 'src/ports/', project: ['src/domain/', 'src/ports/'], packages: [] },
  { area: 'src/commands/', project: ['src/domain/', 'src/ports/', 'src/commands/'], packages: [] },
  { area: 'src/main.ts', project: ['src/config.ts', 'src/gateway/', 'src/process/'], packages: [] },
  { area: 'src/tenant.ts', project: ['src/config.ts', 'src/gateway/'], packages: ['node:*'] },
  { area: 'src/set-aside.ts', project: ['src/config.ts', 'src/gateway/'], packages: ['node:*'] },
  { area: 'src/backup.ts', project: ['src/config.ts', 'src/gateway/'], packages: ['node:*'] },
  { area: 'src/login.ts', project: ['src/config.ts', 'src/gateway/'], packages: ['node:*'] },
  { area: 'src/flows.ts', project: ['src/config.ts', 'src/gateway/'], packages: ['node:*'] },
  {
    area: 'src/config.ts',
    project: ['src/domain/', 'src/config/', 'src/process/start-fault.ts', 'src/process/database-url.ts'],
    packages: [],
  },
  { area: 'src/config/', project: ['src/domain/', 'src/config/'], packages: ['zod', 'node:*'] },
  { area: 'src/gateway/', project: ['src/', 'actors/'], packages: ['node:*', 'zod'] },
  { area: 'tools/clauses/', project: ['tools/clauses/'], packages: ['node:*'] },
  { area: 'tools/commits/', project: ['tools/commits/'], packages: ['node:*'] },
  { area: 'tools/compatibility/', project: ['tools/compatibility/'], packages: ['node:*'] },
  {
    area: 'tools/clients/',
    project: ['tools/clients/', 'tools/install/', 'src/http/routes/guides/library.ts'],
    packages: ['node:*'],
  },
  // A client is complete without any other file, because it is installed by itself.
  {
    area: 'clients/typescript/',
    project: ['clients/typescript/'],
    packages: ['ws', '#socket', '@channel/client', 'node:*'],
  },
  { area: 'clients/n8n/', project: ['clients/n8n/'], packages: ['n8n-workflow', 'node:crypto'] },
  { area: 'tools/configuration/', project: ['src/config/', 'tools/configuration/'], packages: ['zod', 'node:*'] },
  {
    area: 'tools/demo/',
    project: ['src/domain/', 'src/process/', 'src/register/', 'tools/demo/'],
    packages: ['undici', 'ws', 'pg', 'node:*', '@modelcontextprotocol/client'],
  },
  {
    area: 'tools/listen/',
    project: ['src/domain/', 'src/ports/', 'src/process/', 'src/net/', 'src/webhooks/', 'tools/listen/'],
    packages: ['undici', 'node:*'],
  },
  // The check takes the place of a gateway and a media host, so it uses their bridge and legs.
  {
    area: 'tools/engine-check/',
    project: [
      'src/domain/',
      'src/ports/',
      'src/process/',
      'src/net/',
      'tools/engine-check/',
      'media-host/audio/',
      'media-host/legs/',
      'media-host/clock.ts',
    ],
    packages: ['zod', 'ws', 'uqr', 'node:*'],
  },
  { area: 'src/process/', project: ['src/domain/', 'src/ports/', 'src/process/'], packages: ['*'] },
  { area: 'src/net/', project: ['src/domain/', 'src/ports/', 'src/net/'], packages: ['*'] },
  {
    area: 'src/http/',
    project: [
      'src/domain/',
      'src/ports/',
      'src/commands/',
      'src/http/',
      'actors/hosting/directory.ts',
      'actors/number/messages.ts',
      'actors/call/messages.ts',
    ],
    packages: ['*'],
  },
  { area: 'src/providers/', project: ['src/domain/', 'src/ports/', 'src/providers/', 'src/net/'], packages: ['*'] },
  {
    area: 'src/files/',
    project: ['src/domain/', 'src/ports/', 'src/files/', 'src/net/', MEDIA_PROTOCOL],
    packages: ['*'],
  },
  { area: 'src/media/', project: ['src/domain/', 'src/ports/', 'src/media/', 'src/net/'], packages: ['*'] },
  // Gateways and what registers with them both use the register, so it is beside `net` and knows none of them.
  {
    area: 'src/register/',
    project: ['src/domain/', 'src/ports/', 'src/register/'],
    packages: ['ioredis', 'zod', 'node:*'],
  },
  // Gateways and engines both hold leases.
  { area: 'src/leases/', project: ['src/domain/', 'src/ports/'], packages: [] },
  { area: 'src/storage/', project: ['src/domain/', 'src/ports/', 'src/storage/', 'migrations/'], packages: ['*'] },
  { area: 'src/cluster/', project: ['src/domain/', 'src/ports/', 'src/cluster/', 'src/storage/'], packages: ['*'] },
  { area: 'src/jobs/', project: ['src/domain/', 'src/ports/', 'src/jobs/', 'src/storage/'], packages: ['*'] },
  { area: 'src/webhooks/', project: ['src/domain/', 'src/ports/', 'src/webhooks/', 'src/net/'], packages: ['*'] },
  {
    area: 'src/oauth/',
    project: ['src/domain/', 'src/ports/', 'src/oauth/', 'src/net/'],
    packages: ['oidc-provider', 'node:*'],
  },
  { area: 'src/feeds/', project: ['src/domain/', 'src/ports/', 'src/feeds/'], packages: [] },
  { area: 'src/inbox/', project: ['src/domain/', 'src/ports/', 'src/feeds/', 'src/inbox/'], packages: ['node:*'] },
  { area: 'src/live/', project: ['src/domain/', 'src/ports/', 'src/feeds/', 'src/live/'], packages: ['node:*'] },
  { area: 'actors/', project: ['src/domain/', 'src/ports/', 'src/leases/', 'actors/'], packages: ['nact', 'node:*'] },
  {
    area: 'media-host/',
    project: [
      'src/domain/',
      'src/ports/',
      'src/net/',
      'src/register/',
      'src/process/',
      'src/config.ts',
      'media-host/',
      MEDIA_PROTOCOL,
    ],
    packages: ['*'],
  },
  // A program of its own under another licence: it is complete without any file of the product.
  { area: MEDIA_PROTOCOL, project: [MEDIA_PROTOCOL], packages: [] },
  { area: 'engines/media/', project: ['engines/media/'], packages: ['node-av', 'prism-media', 'sharp', 'node:*'] },
  // It knows only the types of the bridge from the product, and the register of a fleet, because it is installed and
  // started by itself.
  {
    area: 'engines/baileys/test/',
    project: ['engines/baileys/', BRIDGE, ...OF_FLEETS, 'test/helpers/', 'test/contracts/lease-orders.ts'],
    packages: ['ava', 'baileys', 'fast-check', 'pg', 'ws', 'node:*'],
  },
  { area: 'engines/baileys/bench/', project: ['engines/baileys/', 'test/helpers/'], packages: ['pg', 'node:*'] },
  {
    area: 'engines/baileys/store/postgres/',
    project: ['engines/baileys/process/', 'engines/baileys/store/', ...OF_LEASES],
    packages: ['pg', 'node:*'],
  },
  { area: 'engines/baileys/fleet/', project: ['engines/baileys/', ...OF_FLEETS], packages: ['node:*'] },
  {
    area: 'engines/baileys/',
    project: ['engines/baileys/', BRIDGE, BRIDGE_TOKEN, ...OF_LEASES],
    packages: ['baileys', 'ws', 'node:*'],
  },
  { area: 'engines/', project: ['engines/install.ts', 'tools/install/'], packages: ['node:*'] },
  { area: 'tools/install/', project: ['tools/install/'], packages: ['node:*'] },
  ...OF_EXAMPLES,
  {
    area: 'sandbox/',
    project: ['src/domain/', 'src/ports/', 'src/process/', 'src/config.ts', 'sandbox/'],
    packages: ['*'],
  },
  { area: 'migrations/', project: ['migrations/'], packages: ['@mikro-orm/migrations'] },
  { area: 'web/build', project: ['src/domain/', 'web/build/'], packages: ['vite', 'node:*'] },
  { area: 'web/sdk/', project: ['web/protocol/', 'web/sdk/'], packages: [] },
  { area: 'web/protocol/', project: ['web/protocol/'], packages: [] },
  { area: 'web/words/', project: ['web/words/'], packages: [] },
  { area: 'web/styles.d.ts', project: [], packages: ['lucide'] },
  {
    area: 'web/ui/',
    project: ['web/ui/', 'src/domain/permissions.ts', ...OF_PAGES],
    packages: [...WEB_PACKAGES, 'uqr'],
  },
  { area: 'web/connect/', project: ['web/connect/', 'web/ui/', ...OF_PAGES], packages: WEB_PACKAGES },
  {
    area: 'web/people/',
    project: ['web/people/', 'web/ui/', 'src/domain/permissions.ts', ...OF_PAGES],
    packages: WEB_PACKAGES,
  },
  {
    area: 'web/dashboard/',
    project: [
      'web/dashboard/',
      'src/domain/call.ts',
      'src/domain/realtime-session.ts',
      'web/sdk/src/',
      'web/ui/',
      'src/domain/permissions.ts',
      'src/domain/dashboard-pages.ts',
      'src/domain/events.ts',
      'src/domain/kinds/kinds.ts',
      'src/domain/number.ts',
      'src/domain/number-voice.ts',
      'src/domain/polyphase.ts',
      'src/domain/template-form.ts',
      'src/domain/template-keys.ts',
      'src/domain/template-rules.ts',
      'src/domain/upstream-fields.ts',
      'src/domain/webhook.ts',
      'src/domain/flow.ts',
      'src/domain/message.ts',
      'src/domain/lead.ts',
      'src/domain/usage.ts',
      'src/domain/embed-session.ts',
      'src/domain/logo.ts',
      ...OF_PAGES,
    ],
    packages: WEB_PACKAGES,
  },
  {
    area: 'web/chat/',
    project: [
      'web/chat/',
      'web/ui/',
      'src/domain/kinds/kinds.ts',
      'src/domain/message-key.ts',
      'src/domain/number.ts',
      'src/domain/phone-reading.ts',
      ...OF_PAGES,
    ],
    packages: WEB_PACKAGES,
  },
  { area: 'test/typed-client/', project: ['test/typed-client/'], packages: ['openapi-fetch'] },
  {
    area: 'test/',
    project: [
      ...PROGRAMS,
      'tools/',
      'web/',
      'engines/media/',
      'examples/scripted/',
      'clients/',
      'bench/',
      'simulation/',
      'test/',
    ],
    packages: ['*'],
  },
  {
    area: 'simulation/',
    project: ['src/', 'actors/', 'engines/baileys/store/', 'simulation/', 'test/helpers/'],
    packages: ['node:*'],
  },
  { area: 'bench/', project: [...PROGRAMS, 'bench/', 'test/helpers/'], packages: ['*'] },
]

/** Tests and benches are bound by the table alone. */
function isOfPrograms({ path }: SourceFile): boolean {
  return !/^(engines\/\w+\/)?(test|bench)\//.test(path)
}

const OF_PROGRAMS = FILES.filter(isOfPrograms)

function ruleOf(file: SourceFile): Rule | undefined {
  return TABLE.find((rule) => file.path.startsWith(rule.area))
}

function allows(allowed: readonly string[], wanted: Import): boolean {
  if (!wanted.isPackage) return allowed.some((prefix) => wanted.target.startsWith(prefix))
  return (
    allowed.includes('*')
    || allowed.includes(wanted.target)
    || (allowed.includes('node:*') && wanted.target.startsWith('node:'))
  )
}

// [engines.baileys.1]
test('every file imports only what the import table allows its area', (t) => {
  const broken = FILES.flatMap((file) => {
    const rule = ruleOf(file)
    if (!rule) return [`${file.path} belongs to no area`]
    return file.imports
      .filter((wanted) => !allows(wanted.isPackage ? rule.packages : rule.project, wanted))
      .map((wanted) => `${file.path} imports ${wanted.target}`)
  })
  t.deepEqual(broken, [])
})

test('a foreign package with a home is imported nowhere else', (t) => {
  const strays = OF_PROGRAMS.flatMap((file) =>
    file.imports
      .filter(
        (wanted) =>
          wanted.isPackage && ONE_FILE.has(wanted.target) && !ONE_FILE.get(wanted.target)?.includes(file.path),
      )
      .map((wanted) => `${file.path} imports ${wanted.target}`),
  )
  t.deepEqual(strays, [])
})

test('the program that decodes and converts is started, never loaded: what others share with it are the types of its messages', (t) => {
  const [own, others] = [FILES.filter(isOfMedia), FILES.filter((file) => !isOfMedia(file))]
  const loads = (file: SourceFile, wanted: Import) =>
    !wanted.isPackage
    && wanted.target.startsWith('engines/media/')
    && !wanted.isTypeOnly
    && !file.path.startsWith('test/engines/media/')
    && file.path !== 'test/fuzzers/binaries.ts'
  t.deepEqual(
    others.flatMap((file) =>
      file.imports
        .filter((wanted) => wanted.target === 'node-av' || loads(file, wanted))
        .map((wanted) => `${file.path} imports ${wanted.target}`),
    ),
    [],
  )
  const protocol = own.filter(({ path }) => path.startsWith(MEDIA_PROTOCOL))
  t.true(protocol.length > 0 && own.some((file) => file.imports.some(({ target }) => target === 'node-av')))
  t.deepEqual(
    protocol.filter(({ text }) => /^export (?!type\b|interface\b)/m.test(text)).map(({ path }) => path),
    [],
  )
  t.deepEqual(
    protocol.filter(({ text }) => !text.startsWith('// SPDX-License-Identifier: MIT\n')).map(({ path }) => path),
    [],
  )
})

function isOfMedia({ path }: SourceFile): boolean {
  return path.startsWith('engines/media/')
}

// [engines.baileys.1]
test('the device engine knows the bridge by types alone', (t) => {
  const known = OF_PROGRAMS.filter(({ path }) => path.startsWith('engines/baileys/')).flatMap((file) =>
    file.imports.filter(({ target }) => target === BRIDGE).map(({ isTypeOnly }) => ({ path: file.path, isTypeOnly })),
  )
  t.true(known.length > 0)
  t.deepEqual(
    known.filter(({ isTypeOnly }) => !isTypeOnly),
    [],
  )
})

// Lint finds cycles too, but not cycles of types, and none that an import() closes.
test('no import closes a cycle, one of types neither', (t) => {
  const byPath = new Map(FILES.map((file) => [file.path, file]))
  const done = new Set<string>()
  const cycles: string[] = []

  function walk(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
      return
    }
    if (done.has(path)) return
    for (const wanted of byPath.get(path)?.imports ?? []) if (!wanted.isPackage) walk(wanted.target, [...trail, path])
    done.add(path)
  }

  for (const file of FILES) walk(file.path, [])
  t.deepEqual(cycles, [])
})
