/**
 * A DNS name of at least two labels, in lower case. The last one has letters only, or is an internationalised one in
 * ASCII (`xn--`), so no IP address is a host name.
 */
export const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;
