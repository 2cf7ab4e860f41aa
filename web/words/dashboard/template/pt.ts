import type { Like } from '../../language.ts'
import { words as form } from '../template-form/pt.ts'
import { words as list } from '../templates/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the page of a template. */
export const words: Like<typeof english> = {
  list,
  form,
  heading: 'Modelo',
  above: 'Todos os modelos',
  status: 'Estado',
  meanings: {
    APPROVED: 'Pode ser enviado.',
    USABLE: 'Pode ser enviado: ninguém analisa os modelos deste número.',
    PENDING: 'Está em análise, de minutos até um dia. Pode ser enviado depois de aprovado.',
    REJECTED: 'Não pode ser enviado. Mude o que o motivo indica e envie de novo para análise, ou exclua-o.',
    DISABLED: 'Não pode ser enviado agora. Um pausado volta sozinho; um desativado foi bloqueado ou denunciado demais.',
  },
  unsendable: 'Partes dele não podem ser enviadas por este serviço:',
  reason: 'Motivo',
  quality: 'Qualidade',
  qualities: { GREEN: 'Boa', YELLOW: 'Média', RED: 'Ruim', UNKNOWN: 'Ainda não conhecida' },
  category: 'Categoria',
  correct: (category: string) => `Vai passar a ser ${category}.`,
  language: 'Idioma',
  id: 'Id',
  changed: 'Alterado',
  check: 'Perguntar o estado agora',
  preview: {
    heading: 'Como o telefone mostra',
    text: 'Preenchido com os valores ao lado; no início, os exemplos.',
    label: 'A mensagem',
    show: 'Mostrar com estes valores',
    header: { IMAGE: 'Imagem', VIDEO: 'Vídeo', DOCUMENT: 'Documento' },
    noText: 'Sem texto',
    card: (place: number, of: number) => `Cartão ${place} de ${of}`,
    button: 'Botão',
  },
  remove: {
    action: 'Excluir',
    ask: (name: string) => `Excluir ${name}?`,
    warning: 'Mensagens em espera não são paradas. Onde há análise, o nome não pode ser usado de novo por 30 dias.',
  },
  codes: {
    OFFICIAL_ERROR: 'A rede recusou:',
    OFFICIAL_THROTTLED: 'A rede não aceita mais pedidos agora. Tente de novo em um minuto.',
    TEMPLATE_NAME_AMBIGUOUS: 'Vários idiomas têm este nome. Abra um pela lista.',
    TEMPLATE_NOT_FOUND: 'Este número não tem esse modelo. Ele pode ser de outro número, ou foi excluído.',
  },
}
