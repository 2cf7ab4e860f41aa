import type { words as english } from './en.ts'
import type { Like } from '../../language.ts'

/** Portuguese words of the list of templates. */
export const words: Like<typeof english> = {
  add: 'Novo modelo',
  heading: 'Modelos',
  none: 'Este número não tem modelos. Um modelo é uma mensagem que pode iniciar uma conversa.',
  noneSuch: 'Nenhum modelo está neste estado.',
  anyStatus: 'Todos os estados',
  name: 'Nome',
  category: 'Categoria',
  language: 'Idioma',
  changed: 'Alterado',
  status: 'Estado',
  categories: { MARKETING: 'Marketing', UTILITY: 'Utilidade', OTP: 'Código de uso único' },
  standings: {
    APPROVED: 'Aprovado',
    USABLE: 'Pronto para enviar',
    PENDING: 'Em análise',
    REJECTED: 'Rejeitado',
    DISABLED: 'Pausado ou desativado',
  },
}
