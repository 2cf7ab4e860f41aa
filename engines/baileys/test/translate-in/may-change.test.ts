import test from 'ava'
import { mayChange } from '../../translate-in/may-change.ts'

const [ANN, BOB, GROUP] = ['491700000001@s.whatsapp.net', '491700000002@s.whatsapp.net', '120363000000000001@g.us']
const nobody = (): null => null

test('only the writer of a message may change it', (t) => {
  const key = { remoteJid: GROUP, participant: ANN, fromMe: false, id: 'M1' }
  t.true(mayChange({ remoteJid: GROUP, participant: '491700000001:7@s.whatsapp.net' }, { isOurs: false, key }, nobody))
  t.false(mayChange({ remoteJid: GROUP, participant: BOB }, { isOurs: false, key }, nobody))
  t.true(
    mayChange(
      { remoteJid: ANN, participant: '' },
      { isOurs: false, key: { remoteJid: ANN, participant: '', fromMe: false, id: 'M2' } },
      nobody,
    ),
  )
  t.false(mayChange({ remoteJid: BOB }, { isOurs: false, key: { remoteJid: ANN, fromMe: false, id: 'M2' } }, nobody))
})

test('a message that the owner wrote on any device may only be changed by the owner', (t) => {
  const elsewhere = { remoteJid: ANN, fromMe: true, id: 'M1' }
  t.false(mayChange({ remoteJid: ANN }, { isOurs: true, key: null }, nobody))
  t.false(mayChange({ remoteJid: ANN }, { isOurs: false, key: elsewhere }, nobody))
  t.true(mayChange({ remoteJid: ANN, fromMe: true }, { isOurs: false, key: elsewhere }, nobody))
  t.true(mayChange({ remoteJid: ANN, fromMe: true }, { isOurs: true, key: null }, nobody))
})

test('a change of a message that never arrived here is refused', (t) => {
  t.false(mayChange({ remoteJid: ANN }, { isOurs: false, key: null }, nobody))
})

test('a writer is the same by his private id and by his number', (t) => {
  const key = { remoteJid: '77001@lid', fromMe: false, id: 'M1' }
  const phoneOf = (lid: string): string | null => (lid === '77001' ? '491700000001' : null)
  t.true(mayChange({ remoteJid: '77001@lid', remoteJidAlt: ANN }, { isOurs: false, key }, nobody))
  t.true(mayChange({ remoteJid: ANN }, { isOurs: false, key }, phoneOf))
  t.false(mayChange({ remoteJid: BOB }, { isOurs: false, key }, phoneOf))
})
