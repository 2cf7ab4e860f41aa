import { createAddressGuard } from '../../src/net/address-guard.ts'
import { checkDialled } from '../../src/net/dialled-address.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalBroadcast, LocalRateLimiter } from '../../src/cluster/local.ts'
import { succeed } from '../../src/domain/errors.ts'
import { createLogoFiles } from '../../src/files/logo-files.ts'
import { DiskPlace } from '../../src/files/places/disk-place.ts'
import { createKnownBrowsers } from '../../src/http/request/known-browsers.ts'
import { createCardHosts } from '../../src/net/card-hosts.ts'
import type { KnownMedia } from '../../src/ports/known-media.ts'
import type { TemplateFileIds } from '../../src/ports/stores/template-store.ts'
import type { UrlCheck, UrlFault } from '../../src/ports/url-check.ts'
import { ScryptPasswords } from '../../src/process/passwords.ts'
import { FakeClock } from './fake-clock.ts'
import { ScriptedFiles } from './scripted-messages.ts'
import type { NounPorts } from './http-nouns.ts'
import { ScriptedDirectory } from './scripted-directory.ts'
import { ScriptedPages } from './scripted-pages.ts'
import { ScriptedTemplateFiles } from './scripted-templates.ts'
import { noMetrics, silentLog } from './silent.ts'
import { VALUES } from './world-deps.ts'

/**
 * Everything behind the HTTP layer except stores: scripted answers, and records of requests. A field with the name of a
 * port is that port.
 */
export class ScriptedWorld {
  readonly clock = new FakeClock()
  readonly directory = new ScriptedDirectory()
  /** Logo files that refuse all work; tests of logos replace them. */
  readonly logos: NounPorts['logos'] = createLogoFiles({
    place: new DiskPlace(join(tmpdir(), `cms-test-logos-${process.pid}`), this.clock),
    temp: '/nowhere',
    children: { work: async () => ({ ok: false, fault: 'crowded' }) },
    clock: this.clock,
  })
  readonly uploadDirectory = join(tmpdir(), `cms-test-uploads-${process.pid}`)
  readonly files = new ScriptedFiles()
  readonly known: KnownMedia[] = []
  readonly mediaKnown = (known: KnownMedia) => void this.known.push(known)
  readonly templateFiles = new ScriptedTemplateFiles()
  readonly cardHosts = createCardHosts([])
  /** Sample files of imported templates that the upstream still shows, by template id. */
  readonly samples = new Map<string, TemplateFileIds>()
  readonly sampleFiles: NounPorts['sampleFiles'] = async (_number, { id, files }) =>
    succeed(this.samples.get(id) ?? files)
  readonly templatesWanted = () => {}
  readonly flowsWanted = () => {}
  readonly marketingChosen: NounPorts['marketingChosen'] = async () => {}
  readonly askEndpoint: NounPorts['askEndpoint'] = async () => ({ kind: 'failed', reason: 'not scripted' })
  /** Cheap password hashes, which follow the same rules as expensive ones. */
  readonly passwords = new ScryptPasswords({ cost: { log2N: 4, r: 8, p: 1 } })
  readonly knownBrowsers = createKnownBrowsers({
    baseUrl: VALUES.baseUrl,
    secret: 'a secret of all nodes',
    clock: this.clock,
  })
  /** Faults of addresses, as the guard finds them; checked addresses are in `checkedUrls`. */
  urlFaults = new Map<string, UrlFault>()
  readonly checkedUrls: string[] = []
  readonly checkUrl: UrlCheck = async (url) => {
    this.checkedUrls.push(url)
    return this.urlFaults.get(url) ?? null
  }
  /** The guard itself, over a DNS in which every name is public. */
  readonly checkDialled: NounPorts['checkDialled'] = (address) =>
    checkDialled(address, {
      guard: createAddressGuard([]),
      resolve: async () => [{ address: '93.184.215.14', family: 4 }],
    })
  readonly pages = new ScriptedPages()
  readonly pageOf = this.pages.pageOf
  readonly pageVerifyToken = (appId: string) => `verify-${appId}`
  /** What was woken for leads. */
  readonly woken: ('leads' | 'backfills')[] = []
  readonly leadsDue = () => void this.woken.push('leads')
  readonly backfillsDue = () => void this.woken.push('backfills')
  readonly limiter = new LocalRateLimiter(this.clock)
  readonly nodeLimiter = new LocalRateLimiter(this.clock)
  readonly broadcast = new LocalBroadcast(silentLog)
  readonly log = silentLog
  readonly metrics = noMetrics
}
