import type { Like } from '../../language.ts'
import { words as list } from '../flows/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the page of a Flow. */
export const words: Like<typeof english> = {
  list,
  heading: 'Flow',
  above: 'Todos os Flows',
  meanings: {
    DRAFT: 'Pode ser alterado, e enviado só a testadores.',
    PUBLISHED: 'Pode ser enviado. Para alterá-lo, faça uma cópia.',
    DEPRECATED: 'Não pode mais ser enviado; o que foi enviado antes ainda abre.',
    THROTTLED: 'O seu endpoint falha demais, por isso só pode ser enviado poucas vezes por hora.',
    BLOCKED: 'O seu endpoint falha, por isso não pode ser enviado até ser corrigido.',
  },
  notUp: 'A rede não o aceitou:',
  health: 'Saúde',
  healths: { AVAILABLE: 'Pode ser enviado', LIMITED: 'Limitado', BLOCKED: 'Bloqueado', UNKNOWN: 'Não conhecida' },
  id: 'Id',
  preview: 'Ver na prévia (abre uma nova janela)',
  acts: {
    publish: {
      action: 'Publicar',
      ask: (name: string) => `Publicar ${name}?`,
      warning: 'Um Flow publicado não pode mais ser alterado nem excluído.',
    },
    deprecate: {
      action: 'Descontinuar',
      ask: (name: string) => `Descontinuar ${name}?`,
      warning: 'Não poderá mais ser enviado, e isso não pode ser desfeito.',
    },
    delete: {
      action: 'Excluir',
      ask: (name: string) => `Excluir ${name}?`,
      warning: 'O rascunho e o seu documento se perdem.',
    },
  },
  document: {
    heading: 'Documento',
    field: 'As telas, em JSON',
    save: 'Salvar o documento',
    wrong: 'A rede encontra estes erros nele:',
    line: (line: number) => `Linha ${line}:`,
    noJson: (line: number) => `A linha ${line} não é JSON.`,
  },
  answers: {
    heading: 'Respostas',
    none: 'Ninguém respondeu ainda, ou a privacidade do número não guarda respostas.',
    name: 'Nome',
    from: 'De',
    answer: 'Resposta',
    at: 'Hora',
  },
  codes: {
    FLOW_NOT_FOUND: 'Este número não tem esse Flow. Ele pode ser de outro número, ou foi excluído.',
    FEATURE_NOT_SUPPORTED: 'Só números oficiais têm Flows.',
    FLOW_JSON_INVALID: 'Foi salvo como rascunho, mas a rede encontra erros nele; veja acima.',
    OFFICIAL_ERROR: 'A rede recusou:',
    OFFICIAL_THROTTLED: 'A rede não aceita mais pedidos agora. Tente de novo em um minuto.',
  },
}
