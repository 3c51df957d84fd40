/**
 * Well-known mailbox providers, under whose domains anybody can have a mailbox. Such a domain does not identify an
 * organization, so no person can claim it for a workspace. A backend may still allow it.
 */
const providers = new Set(
  `
  126.com 163.com aim.com aol.com bk.ru bol.com.br comcast.net duck.com fastmail.com free.fr freenet.de gmail.com gmx.at
  gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr
  hotmail.it icloud.com inbox.ru laposte.net libero.it list.ru live.com live.de live.fr mac.com mail.com mail.ru
  mailbox.org me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.es outlook.fr pm.me posteo.de
  proton.me protonmail.com qq.com rediffmail.com rocketmail.com seznam.cz sina.com t-online.de tuta.com tutanota.com
  uol.com.br verizon.net web.de wp.pl ya.ru yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de
  yahoo.fr yahoo.it yandex.com yandex.ru yeah.net ymail.com zoho.com
  `
    .trim()
    .split(/\s+/),
);

/** True for a known domain under which anybody can have a mailbox. */
export const isMailboxProvider = (domain: string): boolean => providers.has(domain);
