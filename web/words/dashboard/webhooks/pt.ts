import type { Like } from '../../language.ts'
import { words as hooks } from '../hooks/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the list of webhooks. */
export const words: Like<typeof english> = {
  hooks,
  heading: 'Webhooks',
  add: 'Novo webhook',
  create: 'Criar webhook',
  none: 'Nenhum webhook ainda. Um webhook envia o que acontece em um número a um endereço seu.',
  noNumber: 'Um webhook pertence a um número. Adicione um número primeiro.',
  numbers: 'Números',
  created: (name) => `${name} foi criado.`,
  secret: 'Segredo de assinatura',
  secretText: 'Cada entrega é assinada com ele, para que você a distinga de uma falsificação.',
  open: 'Abrir o webhook',
  columns: { webhook: 'Webhook', number: 'Número', events: 'Eventos', last: 'Última entrega', state: 'Estado' },
  failed: (count) => (count === 1 ? '1 falhou em 24 h' : `${count} falharam em 24 h`),
  eventCount: (count) => (count === 0 ? 'nenhum' : count === 1 ? '1 evento' : `${count} eventos`),
  all: 'todos (*)',
}
