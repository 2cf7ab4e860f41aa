import test from 'ava'
import { readSourceFiles, type SourceFile } from './source-files.ts'

/** A part of the tree with floors: a file imports only from its own floor and those below, types included. */
interface Building {
  readonly name: string
  readonly root: string
  /**
   * The floors, lowest first: folders or single files, relative to the root. The longest match decides where a file
   * belongs.
   */
  readonly floors: readonly (readonly string[])[]
}

const BUILDINGS: readonly Building[] = [
  {
    // The clock is a floor of its own, because every leg runs on it; what joins the floors is above them all.
    name: 'the media host',
    root: 'media-host/',
    floors: [
      ['audio/'],
      ['clock.ts'],
      ['legs/'],
      ['recording/'],
      ['playback/'],
      ['realtime/'],
      ['control/'],
      ['main.ts', 'workers.ts', 'ending.ts', 'start.ts', 'registering.ts', 'open-registering.ts', 'open-host.ts'],
    ],
  },
  {
    name: 'the device engine',
    root: 'engines/baileys/',
    floors: [
      ['process/'],
      ['fleet/'],
      ['protocol/'],
      ['store/'],
      ['move/'],
      ['socket/'],
      ['translate-in/'],
      ['translate-out/'],
      ['media/'],
      ['session/'],
      ['hearing/'],
      ['ops/'],
      ['bridge/'],
      ['metrics/'],
      ['doctor/'],
      ['main.ts', 'start.ts'],
      ['test/network/'],
      ['test/helpers/'],
      ['test/', 'bench/'],
    ],
  },
  { name: 'the program that decodes and converts', root: 'engines/media/', floors: [['protocol/'], [''], ['test/']] },
  {
    name: 'the sandbox',
    root: 'sandbox/',
    floors: [
      ['header-text.ts', 'listening.ts', 'recent.ts', 'rewriting.ts', 'shelf.ts', 'typing.ts'],
      ['faults.ts', 'ledger.ts'],
      ['media/'],
      ['devices/'],
      ['official/'],
      ['control/'],
      ['main.ts', 'start.ts'],
    ],
  },
  {
    name: 'the official platform of the sandbox',
    root: 'sandbox/official/',
    floors: [
      ['http/'],
      ['registry/'],
      ['webhooks/'],
      ['media/'],
      ['ads/'],
      ['calls/'],
      ['leads/'],
      ['flows/document/'],
      ['flows/'],
      ['templates/'],
      ['messages/'],
      ['platform/'],
      ['objects/'],
      ['graph-routes.ts', 'graph-server.ts', 'operations.ts'],
    ],
  },
  {
    name: 'storage',
    root: 'src/storage/',
    // Who owns a row is below the rows themselves; how numbers begin and end is above everything that belongs to them.
    // An aggregate that is not listed may use only the engine, and ask to which conversation an id leads.
    floors: [
      ['engine/', 'due.ts'],
      ['conversations/'],
      [''],
      ['numbers/', 'users/'],
      ['changes/', 'events/', 'flow-responses/', 'keys/', 'lead-pages/', 'oauth/', 'referrals/', 'templates/'],
      ['flows/', 'messages/', 'pairing/', 'webhooks/'],
      ['flow-keys/', 'handling/', 'inbox/', 'leads/', 'referral-lists/', 'tenant-feed/'],
      ['provisioning/', 'resealing/'],
      ['official-numbers/'],
      ['entities.ts', 'stores.ts', 'open-database.ts'],
    ],
  },
  {
    name: 'the actors',
    root: 'actors/',
    floors: [['engine/'], ['call/', 'sending/'], ['number/'], ['hosting/']],
  },
  {
    // The floors are: what a call is, how a step is written, what it is asked and hears, and what decides.
    name: 'a call',
    root: 'actors/call/',
    floors: [
      ['messages.ts', 'state.ts', 'event-data.ts', 'leg.ts'],
      ['ending.ts', 'writing.ts', 'sdp.ts'],
      ['accept.ts', 'leg-loss.ts', 'play.ts', 'pre-accept.ts', 'reject.ts', 'terminate.ts'],
      ['voice.ts'],
      ['far-side.ts', 'inbound.ts', 'outbound.ts', 'over.ts', 'resume.ts'],
      ['decide.ts', 'effects.ts'],
      ['call-actor.ts'],
    ],
  },
  {
    // The messages of each facet are below those of the number, which combine them; its steps are above.
    name: 'a number',
    root: 'actors/number/',
    floors: [
      ['calls/messages.ts', 'calls/state.ts', 'calls/orphans.ts', 'devices/messages.ts', 'devices/state.ts'],
      ['changes/messages.ts', 'changes/state.ts', 'changes/held.ts', 'receiving/state.ts', 'link/settle-line.ts'],
      ['link/messages.ts', 'link/state.ts', 'rows/messages.ts', 'rows/state.ts', 'sends/messages.ts', 'sends/state.ts'],
      ['messages.ts', 'open-session.ts'],
      ['state.ts'],
      ['settle.ts'],
      ['calls/', 'devices/', 'receiving/', 'sends/'],
      ['changes/', 'rows/'],
      ['link/'],
      ['remove.ts', 'world.ts'],
      ['loading.ts', 'timers.ts'],
      ['verbs.ts'],
      ['decide.ts', 'effects.ts'],
      ['number-actor.ts'],
    ],
  },
  {
    name: 'the commands',
    root: 'src/commands/',
    floors: [
      ['official/', 'pages/', 'keys/', 'oauth/', 'sessions/', 'users/', 'webhooks/'],
      ['ads/', 'calls/', 'embeds/', 'pairing/', 'templates/'],
      ['flow-endpoints/', 'flows/', 'messages/', 'recordings/'],
      ['inbox/', 'leads/', 'numbers/'],
    ],
  },
  {
    name: 'HTTP',
    root: 'src/http/',
    floors: [
      ['connection/', 'request/'],
      ['credentials/', 'pages/'],
      ['middlewares/'],
      ['tools/'],
      ['routes/'],
      ['openapi/'],
      ['asyncapi/'],
      [''],
    ],
  },
  {
    name: 'the routes',
    root: 'src/http/routes/',
    floors: [
      ['date-range.ts', 'instant.ts', 'link-token.ts', 'paging.ts', 'phone-schema.ts', 'samples.ts', 'web-address.ts'],
      [''],
    ],
  },
  {
    name: 'the drivers',
    root: 'src/providers/',
    floors: [['content-words.ts', 'message-time.ts'], ['official/', 'unofficial/'], ['registry.ts']],
  },
  {
    name: 'the driver of the official platform',
    root: 'src/providers/official/',
    floors: [
      ['values/'],
      ['errors/', 'flow/', 'lead/', 'template/'],
      ['client/', 'inbound/'],
      ['message/'],
      ['ops/'],
      ['driver.ts', 'official.ts'],
    ],
  },
  {
    name: 'the check of engines',
    root: 'tools/engine-check/',
    floors: [
      ['engine-end.ts', 'event-shapes.ts', 'finding.ts', 'hints.ts', 'options.ts'],
      ['audio/'],
      ['world.ts', 'control.ts', 'kill.ts', 'scan.ts', 'watch.ts'],
      ['checks/'],
      ['run.ts', 'engine-check.ts'],
    ],
  },
  {
    name: 'the list of clauses',
    root: 'tools/clauses/',
    floors: [['page.ts'], ['citations.ts'], ['report.ts', 'tree.ts'], ['clauses.ts']],
  },
  {
    name: 'the inbox',
    root: 'web/chat/',
    floors: [['model/'], ['api/'], ['state/'], ['view/'], ['host.ts', 'look.ts', 'main.tsx', 'shades.ts']],
  },
  { name: 'what tests share', root: 'test/', floors: [['helpers/'], ['contracts/'], [''], ['together/']] },
]

/** The floor of a path below the root; -1 when it has none. */
function floorOf({ floors }: Building, path: string): number {
  const places = floors.flatMap((names, floor) =>
    names
      .filter((name) => (/\.tsx?$/.test(name) ? path === name : path.startsWith(name)))
      .map((name) => ({ floor, length: name.length })),
  )
  return places.toSorted((a, b) => b.length - a.length)[0]?.floor ?? -1
}

/** Names of a building that import each other in a circle; folders count when the building names no floor for them. */
function circles({ root, floors }: Building, files: readonly SourceFile[]): string[] {
  const names = floors.flat().toSorted((a, b) => b.length - a.length)
  const placeOf = (path: string): string => {
    const below = path.slice(root.length)
    return names.find((name) => below.startsWith(name)) || below.slice(0, below.indexOf('/') + 1)
  }
  const neighbours = new Map(files.map(({ path }) => [placeOf(path), new Set<string>()]))
  for (const { path, imports } of files)
    for (const { target } of imports)
      if (target.startsWith(root) && placeOf(target) !== placeOf(path))
        neighbours.get(placeOf(path))?.add(placeOf(target))
  const leadsTo = (from: string, to: string, passed: Set<string>): boolean =>
    [...(neighbours.get(from) ?? [])].some(
      (next) => next === to || (!passed.has(next) && leadsTo(next, to, passed.add(next))),
    )
  return [...neighbours.keys()].filter((place) => leadsTo(place, place, new Set()))
}

for (const building of BUILDINGS) {
  const { name, root } = building
  const files = readSourceFiles([root.slice(0, -1)])
  const floor = (path: string): number => floorOf(building, path.slice(root.length))

  test(`every file of ${name} belongs to a floor`, (t) => {
    t.deepEqual(
      files.map((file) => file.path).filter((path) => floor(path) === -1),
      [],
    )
  })

  test(`${name}: imports go downward only, types too`, (t) => {
    t.true(files.some((file) => file.imports.some(({ target }) => target.startsWith(root))))
    const upward = files.flatMap((file) =>
      file.imports
        .filter(({ target }) => target.startsWith(root) && floor(target) > floor(file.path))
        .map(({ target }) => `${file.path} imports ${target}`),
    )
    t.deepEqual(upward, [])
  })

  test(`${name}: no places import each other in a circle, types too`, (t) => {
    t.deepEqual(circles(building, files), [])
  })
}
