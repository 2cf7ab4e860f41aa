import type { Like } from '../../language.ts'
import { words as list } from '../leads/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the page of a lead. */
export const words: Like<typeof english> = {
  list,
  heading: 'Lead',
  above: 'Todos os leads',
  withheld: 'Nome, e-mail, telefone e respostas estão retidos. A origem e o que aconteceu com ele ficam.',
  adset: 'Conjunto de anúncios',
  campaign: 'Campanha',
  platform: 'Plataforma',
  platforms: { fb: 'Facebook', ig: 'Instagram' },
  came: 'Guardado',
  sources: { webhook: '(ao ser enviado)', backfill: '(importado)' },
  leadgenId: 'Id da rede',
  conversation: 'Abrir a conversa',
  sameForm: 'Leads deste formulário',
  answers: 'Respostas',
  noAnswers: 'O formulário não perguntou nada.',
  noAnswer: 'Sem resposta',
  erase: {
    action: 'Apagar',
    ask: 'Apagar este lead?',
    warning:
      'Nome, e-mail, telefone e respostas se perdem aqui, no evento dele e nos registros de webhooks. Ele nunca será importado de novo.',
    done: 'O lead foi apagado.',
  },
  codes: { LEAD_NOT_FOUND: 'Este número não tem esse lead. Ele pode ser de outro número, ou ter sido apagado.' },
}
