import type { Like } from '../../language.ts'
import { words as hooks } from '../hooks/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the list of webhooks. */
export const words: Like<typeof english> = {
  hooks,
  heading: 'Webhooks',
  add: 'Nuevo webhook',
  create: 'Crear webhook',
  none: 'Aún no hay webhooks. Un webhook envía lo que pasa en un número a una dirección tuya.',
  noNumber: 'Un webhook pertenece a un número. Añade un número primero.',
  numbers: 'Números',
  created: (name) => `${name} está creado.`,
  secret: 'Secreto de firma',
  secretText: 'Cada entrega se firma con él, para que la distingas de una falsificación.',
  open: 'Abrir el webhook',
  columns: { webhook: 'Webhook', number: 'Número', events: 'Eventos', last: 'Última entrega', state: 'Estado' },
  failed: (count) => (count === 1 ? '1 falló en 24 h' : `${count} fallaron en 24 h`),
  eventCount: (count) => (count === 0 ? 'ninguno' : count === 1 ? '1 evento' : `${count} eventos`),
  all: 'todos (*)',
}
