/** A DNS name of at least two labels, in lower case. The last one has letters only, so no IP address is one. */
export const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
