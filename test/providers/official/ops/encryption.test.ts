import test from 'ava'
import { encryptionOps } from '../../../../src/providers/official/ops/encryption.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'

const AT = '/1001/whatsapp_business_encryption'
const PEM = '-----BEGIN PUBLIC KEY-----\nMIIB+/=\n-----END PUBLIC KEY-----\n'

test('a public key is sent once as a form field, and its outcome follows from the answer', async (t) => {
  const { server, graph } = await rig(t)
  const encryption = encryptionOps(graph, CREDENTIALS)
  server.on(
    `POST ${AT}`,
    { json: { success: true } },
    graphError(100, 400, { error_subcode: 2_388_001 }),
    graphError(2, 500),
  )
  t.deepEqual(await encryption.setPublicKey(PEM), { kind: 'done', value: null })
  const [asked] = server.asked
  t.is(asked?.headers['content-type'], 'application/x-www-form-urlencoded')
  t.deepEqual([...new URLSearchParams(asked?.sent.toString())], [['business_public_key', PEM]])
  t.deepEqual(await encryption.setPublicKey(PEM), {
    kind: 'refused',
    no: { upstreamCode: 100, upstreamSubcode: 2_388_001, upstreamMessage: '(#100) Title' },
  })
  t.is((await encryption.setPublicKey(PEM)).kind, 'unknown')
  t.is(server.asked.length, 3)
})

test('the public key is read in either form that upstream gives it, and may not be there', async (t) => {
  const { server, graph } = await rig(t)
  const encryption = encryptionOps(graph, CREDENTIALS)
  const key = { business_public_key: PEM, business_public_key_signature_status: 'VALID' }
  server.on(
    `GET ${AT}`,
    { json: { data: [key] } },
    { json: key },
    { json: { business_public_key: PEM } },
    { json: { data: [] } },
    { json: {} },
    graphError(190, 401),
  )
  for (const value of [
    { publicKey: PEM, status: 'VALID' },
    { publicKey: PEM, status: 'VALID' },
    { publicKey: PEM, status: null },
    null,
    null,
  ]) {
    t.deepEqual(await encryption.publicKey(), { ok: true, value })
  }
  t.like(await encryption.publicKey(), { ok: false, error: { details: { upstreamCode: 190 } } })
})
