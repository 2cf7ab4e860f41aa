import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the overview. */
export const words: Like<typeof english> = {
  heading: 'Visão geral',
  numbers: 'Números',
  states: { OPEN: 'conectados', CONNECTING: 'conectando', CLOSE: 'não conectados' },
  liveCalls: 'Chamadas agora',
  steps: 'Primeiros passos',
  allDone: 'Todos os primeiros passos estão feitos.',
  next: 'Próximo passo',
  done: 'feito',
  open: 'a fazer',
  step: {
    numberConnected: {
      name: 'Conectar um número',
      text: 'Adicione um número e leia o código dele com o telefone, ou informe as credenciais.',
    },
    messageSent: { name: 'Enviar uma mensagem', text: 'Uma chamada da API envia a primeira mensagem.' },
    webhookDelivered: { name: 'Receber um evento', text: 'Adicione um webhook e envie a ele um evento de teste.' },
    callPlaced: { name: 'Fazer uma chamada', text: 'Ligue daqui ou pela API.' },
    brandingSet: { name: 'Definir sua marca', text: 'Nome, logotipo e cores das páginas que seus clientes veem.' },
    embedMinted: { name: 'Incorporar a caixa de entrada', text: 'Coloque a caixa de conversas em uma página sua.' },
  },
  failing: 'Webhooks que falham',
  failed: (count) =>
    count === 1 ? '1 entrega falhou nas últimas 24 horas' : `${count} entregas falharam nas últimas 24 horas`,
  sandbox: 'Sandbox',
  sandboxText: 'Aqui os serviços externos são simulados: telefones que pareiam, contatos que escrevem e ligam.',
  sandboxOpen: 'Abrir o sandbox',
  sandboxNumber: 'Número',
  sandboxMessage: 'Mensagem',
  sandboxScan: 'Ler o código dele',
  sandboxWrite: 'Escrever para ele',
  sandboxRing: 'Ligar para ele',
  sandboxScanned: 'O telefone leu o código.',
  sandboxWritten: 'O contato escreveu.',
  sandboxRings: 'O contato está ligando.',
  sandboxRefused:
    'O sandbox não pôde fazer isso. Um número é lido enquanto espera o telefone; recebe mensagens e chamadas quando está conectado.',
  sandboxHello: 'Olá',
}
