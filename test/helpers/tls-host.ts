import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { temporaryDirectory } from './temporary-directory.ts'
import { PATIENCE_MS } from './until.ts'

const run = promisify(execFile)

/** Certificates of one run, made by the machine's `openssl`, because Node signs none. */
export interface Certificates {
  /** The certificate of the authority, in PEM. */
  readonly authority: string
  readonly key: string
  /** The certificate of the hosts, signed by the authority. */
  readonly certificate: string
}

/** Makes an authority and a certificate for these hosts, valid for a day. */
export async function makeCertificates(hosts: readonly string[]): Promise<Certificates> {
  const { path, remove } = await temporaryDirectory()
  const at = (name: string) => join(path, name)
  const openssl = (...args: string[]) => run('openssl', args, { cwd: path, timeout: 60_000 })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    await openssl(
      'req',
      '-x509',
      ...ec,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '1',
      '-subj',
      '/CN=Test authority',
    )
    await openssl('req', ...ec, '-keyout', 'host.key', '-out', 'host.csr', '-subj', `/CN=${hosts[0]}`)
    await writeFile(at('names'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}\n`)
    await openssl(
      'x509',
      '-req',
      '-in',
      'host.csr',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      'host.pem',
      '-days',
      '1',
      '-extfile',
      'names',
    )
    const [authority, key, certificate] = await Promise.all(
      ['ca.pem', 'host.key', 'host.pem'].map((name) => readFile(at(name), 'utf8')),
    )
    return { authority: authority ?? '', key: key ?? '', certificate: certificate ?? '' }
  } finally {
    await remove()
  }
}

/** Serves over TLS on a free port of this machine until the test ends; resolves to the port. */
export async function serveTls(
  t: ExecutionContext<unknown>,
  { key, certificate }: Certificates,
  listener: RequestListener,
): Promise<number> {
  const server = createServer({ key, cert: certificate, keepAliveTimeout: PATIENCE_MS }, listener)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
