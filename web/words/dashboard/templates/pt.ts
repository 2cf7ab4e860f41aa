import type { words as english } from './en.ts'
import type { Like } from '../../language.ts'

/** Portuguese words of the list of templates. */
export const words: Like<typeof english> = {
  add: 'Novo modelo',
  sync: 'Perguntar à rede os modelos dela agora',
  synced: ({ imported, updated, removed }: { imported: number; updated: number; removed: number }) =>
    `Perguntado: ${imported} novos, ${updated} alterados, ${removed} removidos.`,
  codes: { OFFICIAL_ERROR: 'A rede recusou:' },
  heading: 'Modelos',
  none: 'Este número não tem modelos. Um modelo é uma mensagem que pode iniciar uma conversa.',
  noneSuch: 'Nenhum modelo é assim.',
  anyCategory: 'Todas as categorias',
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
